#!/bin/sh
# SPDX-License-Identifier: MIT
# cublas.sh NAME SHAPE...: builds cublas.c in $WORK against the toolkit's
# cuBLAS ($CUDA_HOME), and runs it; says why not where it cannot.
set -u
here=$(dirname "$0")

absent()
{
    echo "absent cublas $*"
    exit 0
}

[ -f "$CUDA_HOME/include/cublas_v2.h" ] ||
    absent "the toolkit has no cublas_v2.h"
gcc -std=c11 -D_GNU_SOURCE -O2 -Icommon -isystem "$CUDA_HOME/include" \
    -o "$WORK/cublas" "$here/cublas.c" "$here/product.c" \
    common/harness/stats.c \
    "-L$CUDA_HOME/lib64" -lcublas -lcudart -lm \
    "-Wl,-rpath,$CUDA_HOME/lib64" >"$WORK/gcc" 2>&1 ||
    absent "gcc: $(grep -m 1 -e error -e undefined -e cannot "$WORK/gcc")"
exec "$WORK/cublas" "$@"
