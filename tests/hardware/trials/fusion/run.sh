#!/bin/sh
# SPDX-License-Identifier: MIT
# Trials of kernels for chapter 21 on this machine's GPU: README.md.
#
#   sh tests/hardware/trials/fusion/run.sh SECONDS FOLDER [PROGRAM...]
#
# From the checkout's root. What each trial says goes to FOLDER/PROGRAM.txt, a
# table to FOLDER/table.txt and standard output. PROGRAM: softmax, layer_norm,
# layer_norm_backward_bf16 and so on; without it, all. MIB=64 REPS=3 is a quick
# run; ROWS="257 97" other lengths.
set -u
limit=${1:-100}
out=${2:-build/trials/fusion}
if [ $# -gt 2 ]; then
    shift 2
else
    set -- layer_norm_backward layer_norm layer_norm_bf16 \
        layer_norm_backward_bf16 softmax softmax_bf16 softmax_backward \
        softmax_backward_bf16
fi
here=tests/hardware/trials/fusion
cuda=${CUDA_HOME:-/usr/local/cuda}
began=$(date +%s)
export REPS="${REPS:-15}"
rows=${ROWS:-"1023 262143 131071 4097 65537 8191 16385 1024 262144 16384"}
mkdir -p "$out"

build() # PROGRAM
{
    op=${1%_bf16}
    case $op in
    softmax) mode=0 ;;
    softmax_backward) mode=1 ;;
    layer_norm) mode=2 ;;
    *) mode=3 ;;
    esac
    half=0
    [ "$op" = "$1" ] || half=1
    "$cuda/bin/nvcc" -O3 -std=c++17 -I. -Icommon -Icommon/op \
        -gencode arch=compute_90a,code=sm_90a -Xptxas -v \
        "-DSOLUTION=\"solutions/21-row-norm/$1.cu\"" -DMODE=$mode \
        -DHALF=$half -o "$out/$1" "$here/rows.cu" >"$out/$1.log" 2>&1 ||
        echo "# $1 cannot be built: $out/$1.log"
}

try() # PROGRAM ARGUMENT...: no longer than is left
{
    left=$((limit - $(date +%s) + began))
    [ "$left" -gt 3 ] || { echo "# no time is left for $1"; return; }
    [ "$left" -lt 30 ] || left=30
    name=$1
    shift
    timeout -k 2 "$left" "$out/$name" "$@" >"$out/$name.txt" 2>&1 ||
        echo "# $name: exit code $?"
}

# A line per length and candidate of rows.cu: milliseconds, per cent of a copy.
table() # PROGRAM
{
    [ -f "$out/$1.txt" ] || return
    awk -v name="$1" '
        $2 != "columns:" { print; next }
        $3 == "copy" { print name, $1 ": copy " $4; next }
        !/does not fit/ { printf "%s %s: %-14s %s  %5.1f %%%s\n", name, $1, $3,
                          $4, $6, /WRONG/ ? " WRONG" : "" }' "$out/$1.txt"
}

for name in "$@"; do
    build "$name" &
done
wait
echo "# built in $(($(date +%s) - began)) s"
for name in "$@"; do
    # shellcheck disable=SC2086 # lengths are words
    try "$name" "${MIB:-512}" 20 $rows
done
nvidia-smi --query-gpu=name,driver_version,clocks.sm,power.draw \
    --format=csv >"$out/gpu.txt" 2>&1
for name in "$@"; do
    table "$name"
done >"$out/table.txt"
cat "$out/table.txt"
echo "# $(($(date +%s) - began)) s in all"
