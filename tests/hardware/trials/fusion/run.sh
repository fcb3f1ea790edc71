#!/bin/sh
# SPDX-License-Identifier: MIT
# Trials of kernels for chapters 21 and 20 on this machine's GPU: README.md.
#
#   sh tests/hardware/trials/fusion/run.sh SECONDS FOLDER
#
# From the checkout's root. What each trial says goes to FOLDER, a table to
# standard output. MIB=64 REPS=3 is a quick one; ROWS="256 96" other lengths.
set -u
limit=${1:-200}
out=${2:-build/trials/fusion}
here=tests/hardware/trials/fusion
cuda=${CUDA_HOME:-/usr/local/cuda}
solutions=solutions/21-row-norm
rows=${ROWS:-"16385 262143 65537 4097 32769 1023 8191 131071"}
began=$(date +%s)
mkdir -p "$out"

within() # SECONDS COMMAND...: no longer than is left
{
    most=$1
    shift
    left=$((limit - $(date +%s) + began))
    [ "$left" -gt 3 ] || { echo "# no time is left for $1"; return; }
    [ "$most" -lt "$left" ] || most=$left
    timeout -k 2 "$most" "$@" || echo "# $1: exit code $?"
}

build() # NAME SOURCE FLAG...
{
    name=$1
    source=$2
    shift 2
    "$cuda/bin/nvcc" -O3 -std=c++17 -I. -Icommon -Icommon/op "$@" \
        -gencode arch=compute_90a,code=sm_90a -Xptxas -v \
        -o "$out/$name" "$here/$source" >"$out/$name.log" 2>&1 ||
        echo "# $name cannot be built: $out/$name.log"
}

mode=0
for op in softmax softmax_backward layer_norm layer_norm_backward; do
    build "$op" rows.cu "-DSOLUTION=\"$solutions/$op.cu\"" -DMODE=$mode \
        -DHALF=0 &
    build "${op}_bf16" rows.cu "-DSOLUTION=\"$solutions/${op}_bf16.cu\"" \
        -DMODE=$mode -DHALF=1 &
    mode=$((mode + 1))
done
build linear linear.cu &
wait
echo "# built in $(($(date +%s) - began)) s"

try() # OPERATION SECONDS
{
    # shellcheck disable=SC2086 # lengths are words
    within "$2" "$out/$1" "${MIB:-512}" "$2" $rows >"$out/$1.txt" 2>&1
}
within 10 "$out/linear" 256 128 64 16 >"$out/linear.txt" 2>&1
try layer_norm 10
try layer_norm_bf16 10
try layer_norm_backward 12
try layer_norm_backward_bf16 12
try softmax 10
try softmax_bf16 10
try softmax_backward 10
try softmax_backward_bf16 10
nvidia-smi --query-gpu=name,driver_version,clocks.sm,power.draw \
    --format=csv >"$out/gpu.txt" 2>&1

# Per cent of a copy: a line per operation and length.
for file in "$out"/softmax*.txt "$out"/layer_norm*.txt; do
    awk -v name="$(basename "$file" .txt)" '
        $2 != "columns:" { print; next }
        $3 == "copy" || /does not fit/ { next }
        !($1 in cells) { lengths[++n] = $1 }
        { cells[$1] = cells[$1] "  " $3 " " $6 (/WRONG/ ? " WRONG" : "") }
        END { for (i = 1; i <= n; i++)
                  print name, lengths[i] ":" cells[lengths[i]] }' "$file"
done
cat "$out/linear.txt"
echo "# $(($(date +%s) - began)) s in all"
