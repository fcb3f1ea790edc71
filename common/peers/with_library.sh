#!/bin/sh
# SPDX-License-Identifier: MIT
# with_library.sh FAMILY PEER HEADER LIBRARIES NAME SHAPE...: builds
# FAMILY/PEER.c, with the family's product.c, in $WORK against libraries of the
# toolkit ($CUDA_HOME), and runs it; says why not where it cannot.
set -u
folder=$(dirname "$0")/$1
peer=$2
header=$3
libraries=$4
shift 4

absent()
{
    echo "absent $peer $*"
    exit 0
}

[ -f "$CUDA_HOME/include/$header" ] || absent "the toolkit has no $header"
# shellcheck disable=SC2086 # several
gcc -std=c11 -D_GNU_SOURCE -O2 -Icommon -isystem "$CUDA_HOME/include" \
    -o "$WORK/$peer" "$folder/$peer.c" "$folder/product.c" \
    common/harness/stats.c "-L$CUDA_HOME/lib64" $libraries -lcudart -lm \
    "-Wl,-rpath,$CUDA_HOME/lib64" >"$WORK/gcc" 2>&1 ||
    absent "gcc: $(grep -m 1 -e error -e undefined -e cannot "$WORK/gcc")"
exec "$WORK/$peer" "$@"
