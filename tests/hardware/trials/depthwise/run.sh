#!/bin/sh
# SPDX-License-Identifier: MIT
# Trials of depthwise convolution on this machine's GPU: README.md.
#
#   sh tests/hardware/trials/depthwise/run.sh SECONDS FOLDER [L K ...]
#
# From the checkout's root. What they say goes to FOLDER/middle.txt and standard
# output. Without pairs of L and K, those of README.md.
set -u
limit=${1:-100}
out=${2:-build/trials/depthwise}
if [ $# -gt 2 ]; then
    shift 2
else
    set -- 1024 56 1024 18 91 18 64 56 181 97 8192 891 23 18 16 16 45 32 \
        1024 294 91 91 256 56 5793 18 1024 97 2896 32 8192 97
fi
here=tests/hardware/trials/depthwise
cuda=${CUDA_HOME:-/usr/local/cuda}
mkdir -p "$out" || exit 1
"$cuda/bin/nvcc" -O3 -std=c++17 -I. -Icommon -I$here -arch=sm_90 -Xptxas -v \
    -o "$out/middle" $here/middle.cu >"$out/middle.log" 2>&1 || {
    echo "# middle cannot be built: $out/middle.log"
    exit 1
}
timeout -k 2 "$limit" "$out/middle" "$@" >"$out/middle.txt" 2>&1 ||
    echo "# middle: exit code $?"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,power.draw \
    --format=csv >"$out/gpu.txt" 2>&1
cat "$out/middle.txt"
