#!/bin/sh
# SPDX-License-Identifier: MIT
# Trials of depthwise convolution on this machine's GPU: README.md.
#
#   sh tests/hardware/trials/depthwise/run.sh SECONDS FOLDER [TRIAL [L K ...]]
#
# TRIAL: paths (all of the sweep's pairs of L and K, and the shapes of 09's
# NOTES), or middle. From the checkout's root. Lines go to FOLDER/TRIAL.tsv, and
# what they say to standard output.
set -u
began=$(date +%s)
seconds=${1:-140}
out=${2:-build/trials/depthwise}
trial=${3:-paths}
shift $(($# < 3 ? $# : 3))
here=tests/hardware/trials/depthwise
sweep=tests/hardware/trials/studies/depthwise-forward.tsv
cuda=$(sh common/cli/find-cuda.sh)
export REPS="${REPS:-25}"
mkdir -p "$out" || exit 1

build() # NAME SOURCE...
{
    name=$1
    shift
    "$cuda/bin/nvcc" -O3 -std=c++17 -I. -Icommon -Icommon/op -I$here \
        -arch=sm_90 -Xptxas -v -o "$out/$name" "$@" >"$out/$name.log" 2>&1 ||
        echo "# $name cannot be built: $out/$name.log"
}

measure() # NAME L K...: in the seconds that are left
{
    name=$1
    shift
    left=$((seconds - $(date +%s) + began))
    if [ ! -x "$out/$name" ] || [ "$left" -le 0 ]; then
        return
    fi
    timeout "$left" "$out/$name" "$@" >>"$out/$trial.tsv" 2>&1 ||
        echo "# $name: exit code $?"
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,power.limit \
    --format=csv,noheader | sed 's/^/# /' >"$out/$trial.tsv"
"$cuda/bin/nvcc" --version | sed -n 's/^Cuda/# Cuda/p' >>"$out/$trial.tsv"
if [ "$trial" = middle ]; then
    [ $# -gt 0 ] || set -- 1024 56 1024 18 91 18 64 56 181 97 8192 891 23 18 \
        16 16 45 32 1024 294 91 91 256 56 5793 18 1024 97 2896 32 8192 97
    build middle $here/middle.cu
    measure middle "$@"
    exit
fi
n=0
for path in forward input_grad weight_grad; do
    build $path -DPATH=$n $here/paths.cu solutions/09-dwconv-floor/$path.cu &
    n=$((n + 1))
done
wait
echo "# built after $(($(date +%s) - began)) s"
if [ $# -gt 0 ]; then
    notes=
else
    # shellcheck disable=SC2046
    set -- $(awk -F '\t' '$6 == "peer_copy" { print $4, $5 }' "$sweep")
    notes="64:512:512 5 64:512:512 17 64:512:512 24 64:512:512 48 64:512:512 56
        64:512:512 144 64:512:256 31 2048:128:48 17 2048:128:96 96
        4096:64:96 96 4:1024:1024 24 1:1024:4096 1024 4:4096:128 64
        1024:1024:16 3 256:512:128 24 4:1024:1024 1024 32:768:768 768"
fi
for path in weight_grad forward input_grad; do
    measure $path "$@"
done
for path in weight_grad forward input_grad; do
    # shellcheck disable=SC2086
    [ -z "$notes" ] || CELLS=33554432 measure $path $notes
done
echo "# measured after $(($(date +%s) - began)) s"
awk -f $here/best.awk "$out/$trial.tsv" | tee "$out/best.txt"
