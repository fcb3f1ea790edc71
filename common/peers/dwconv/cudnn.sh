#!/bin/sh
# SPDX-License-Identifier: MIT
# cudnn.sh NAME SHAPE...: builds cudnn.c in $WORK against the cuDNN that is
# here, of $CUDNN_HOME, the toolkit ($CUDA_HOME), the system or Python, and runs
# it; says why not where it cannot.
set -u
here=$(dirname "$0")

# The folder that holds include/cudnn.h and lib/.
cudnn_home()
{
    python=$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])' \
        2>/dev/null)
    for folder in "${CUDNN_HOME:-}" "$CUDA_HOME" /usr/local/cudnn /usr \
        "$python"; do
        [ -n "$folder" ] && [ -f "$folder/include/cudnn.h" ] || continue
        echo "$folder"
        return
    done
}

absent()
{
    echo "absent cudnn $*"
    exit 0
}

home=$(cudnn_home)
[ -n "$home" ] || absent "no cudnn.h in the system, CUDNN_HOME or Python"
library=$(find "$home/lib" "$home/lib64" -name 'libcudnn.so*' 2>/dev/null |
    head -n 1)
[ -n "$library" ] || absent "cudnn.h is here, libcudnn.so is not"
gcc -std=c11 -D_GNU_SOURCE -O2 -Wno-deprecated-declarations -Icommon \
    -isystem "$home/include" -isystem "$CUDA_HOME/include" \
    -o "$WORK/cudnn" "$here/cudnn.c" common/harness/stats.c "$library" \
    "$CUDA_HOME"/lib64/libcudart.so -lm \
    "-Wl,-rpath,${library%/*}:$CUDA_HOME/lib64" >"$WORK/gcc" 2>&1 ||
    absent "gcc: $(grep -m 1 -e error -e undefined "$WORK/gcc")"
exec "$WORK/cudnn" "$@"
