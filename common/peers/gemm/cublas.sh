#!/bin/sh
# SPDX-License-Identifier: MIT
# cublas.sh NAME SHAPE...: builds and runs cublas.c.
exec sh "$(dirname "$0")/../with_library.sh" gemm cublas cublas_v2.h \
    -lcublas "$@"
