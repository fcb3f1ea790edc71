#!/bin/sh
# SPDX-License-Identifier: MIT
# cublaslt.sh NAME SHAPE...: builds and runs cublaslt.c.
exec sh "$(dirname "$0")/../with_library.sh" gemm cublaslt cublasLt.h \
    "-lcublasLt -lcublas" "$@"
