#!/bin/sh
# SPDX-License-Identifier: MIT
# predicted-rates.sh BUILD: what the traffic model predicts for each row of
# tests/hardware/rates.cu, tensor_rates.cu, atomics.cu and caches.cu, in the
# units of the recorded tables, as lines of the book's facts. `make predictions`
# writes them to book/predicted-rates.tsv.
#
# With the argument `one` a program launches each row's kernel once, and prints
# a line for each launch:
#
#   NAME,PER,LESS   the row is its milliseconds less LESS, times PER
#   NAME,PER,per    it is PER over its milliseconds
#   before          the launch belongs to the next row, which it comes before
#   =NAME,VALUE     no launch: what the GPU says of itself
set -eu
cd "$(dirname "$0")/.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rows() # PROGRAM PREFIX
{
    "${NVCC:-nvcc}" -O3 -std=c++17 -cudart shared \
        -Wno-deprecated-gpu-targets \
        -gencode arch=compute_90,code=compute_90 -o "$work/program" \
        "tests/hardware/$1.cu"
    SIMGPU_CHECKS=counters,traffic SIMGPU_SAMPLE=1 SIMGPU_WORKERS=1 \
        "$build/bin/simgpu" --report "$work/report.json" "$work/program" one \
        >"$work/rows" 2>"$work/words" || {
        cat "$work/words" >&2
        exit 1
    }
    sed '/^name,/d; /^=/d' "$work/rows" >"$work/launches"
    "$build/bin/trace" launches "$work/report.json" >"$work/ms"
    [ "$(wc -l <"$work/launches")" -eq "$(wc -l <"$work/ms")" ]
    sed -n 's/^=//p' "$work/rows" |
        awk -F , -v OFS='\t' -v prefix="$2" '{ print prefix "/" $1, $2 }'
    paste -d , "$work/launches" "$work/ms" |
        awk -F , -v prefix="$2" '$1 != "before" {
            printf "%s/%s\t%.4g\n", prefix, $1,
                $3 == "per" ? $2 / $4 : ($4 - $3) * $2 }'
}

# Bytes that the latest program's launches read of device memory, if recorded.
reads() # TABLE PREFIX
{
    jq '.launches[].predicted.read_bytes' "$work/report.json" |
        paste -d , "$work/launches" - |
        awk -F , -v prefix="$2" '
            NR == FNR { recorded[$1]; next }
            $1 in recorded { printf "%s/%s\t%.4g\n", prefix, $1, $NF }
            ' "$1" -
}

echo "# The traffic model's figures for tests/hardware/rates.cu, tensor_rates.cu,"
echo "# atomics.cu and caches.cu, where an H200's are recorded; by make predictions."
rows rates predicted-rate
rows tensor_rates predicted-tensor
rows atomics predicted-atomics
rows caches predicted-caches
reads tests/hardware/caches-memory-h200.csv predicted-memory
