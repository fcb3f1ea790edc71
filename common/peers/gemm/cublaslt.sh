#!/bin/sh
# SPDX-License-Identifier: MIT
# cublaslt.sh NAME SHAPE...: builds cublaslt.c in $WORK against the toolkit's
# cuBLASLt ($CUDA_HOME), and runs it; says why not where it cannot.
set -u
here=$(dirname "$0")

absent()
{
    echo "absent cublaslt $*"
    exit 0
}

[ -f "$CUDA_HOME/include/cublasLt.h" ] ||
    absent "the toolkit has no cublasLt.h"
gcc -std=c11 -D_GNU_SOURCE -O2 -Icommon -isystem "$CUDA_HOME/include" \
    -o "$WORK/cublaslt" "$here/cublaslt.c" "$here/product.c" \
    common/harness/stats.c \
    "-L$CUDA_HOME/lib64" -lcublasLt -lcublas -lcudart -lm \
    "-Wl,-rpath,$CUDA_HOME/lib64" >"$WORK/gcc" 2>&1 ||
    absent "gcc: $(grep -m 1 -e error -e undefined -e cannot "$WORK/gcc")"
exec "$WORK/cublaslt" "$@"
