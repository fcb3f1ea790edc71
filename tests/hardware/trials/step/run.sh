#!/bin/sh
# SPDX-License-Identifier: MIT
# Trials of a training step's kernels on this machine's GPU: README.md.
#
#   sh tests/hardware/trials/step/run.sh SECONDS FOLDER [B H L ...]
#
# From the checkout's root. What they say goes to FOLDER/norm.txt, ends.txt and,
# without hints to the caches, plain_norm.txt, plain_ends.txt, and to standard
# output. Without sizes, those of README.md.
set -u
limit=${1:-120}
out=${2:-build/trials/step}
if [ $# -gt 2 ]; then
    shift 2
else
    set -- 16384 128 48 64 128 8192 6000 96 131
fi
here=tests/hardware/trials/step
cuda=${CUDA_HOME:-/usr/local/cuda}
began=$(date +%s)
mkdir -p "$out" || exit 1

build() # PROGRAM FLAG-OR-SOURCE...: NAME.cu as NAME, or as plain_NAME
{
    program=$1
    name=${1#plain_}
    shift
    "$cuda/bin/nvcc" -O3 -std=c++17 -split-compile 0 -Icommon \
        -Itests/hardware/trials/fusion -Itests/honest \
        -gencode arch=compute_90a,code=sm_90a -Xptxas -v -o "$out/$program" \
        "$here/$name.cu" "$@" \
        >"$out/$program.log" 2>&1 ||
        echo "# $program cannot be built: $out/$program.log"
}

for hints in "" plain_; do
    build ${hints}norm ${hints:+"-DPLAIN"} \
        solutions/24-training-step/rms_backward.cu \
        solutions/24-training-step/swish_backward.cu &
    build ${hints}ends ${hints:+"-DPLAIN"} common/train/kernels_s4.cu &
done
wait
echo "# built in $(($(date +%s) - began)) s"
for name in norm ends plain_norm plain_ends; do
    left=$((limit - $(date +%s) + began))
    [ "$left" -gt 3 ] || { echo "# no time is left for $name"; continue; }
    timeout -k 2 "$left" "$out/$name" "$((left / 2))" "$@" \
        >"$out/$name.txt" 2>&1 || echo "# $name: exit code $?"
    rm -f "$out/$name"
    cat "$out/$name.txt"
done
nvidia-smi --query-gpu=name,driver_version,clocks.sm,power.draw \
    --format=csv >"$out/gpu.txt" 2>&1
echo "# $(($(date +%s) - began)) s in all"
