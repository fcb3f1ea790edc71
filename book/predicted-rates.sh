#!/bin/sh
# SPDX-License-Identifier: MIT
# predicted-rates.sh BUILD: what the traffic model predicts for the
# microbenchmarks of tests/hardware/rates.cu, clocks per warp instruction, of
# atomics.cu, clocks per lane, and of caches.cu, in their units, as lines of the
# book's facts. `make
# predictions` writes them to book/predicted-rates.tsv.
set -eu
cd "$(dirname "$0")/.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

played() # PROGRAM: its rows' names, a tab, and the launches' milliseconds
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
    sed '/^name,/d; s/,.*//' "$work/rows" >"$work/names"
    "$build/bin/trace" launches "$work/report.json" >"$work/ms"
    [ "$(wc -l <"$work/names")" -eq "$(wc -l <"$work/ms")" ]
    paste "$work/names" "$work/ms"
}

# A block of 32 warps, each with 64 repetitions and 8 to warm up, of 8
# instructions; 1.98 GHz; less the launch. As in rates-h200.csv, half of it.
echo "# The traffic model's figures for tests/hardware/rates.cu, atomics.cu and"
echo "# caches.cu, where an H200's are recorded; by make predictions."
played rates >"$work/rates"
awk -F '\t' '
    FILENAME != ARGV[2] { split($0, cell, ","); recorded[cell[1]]; next }
    $1 in recorded {
        printf "predicted-rate/%s\t%.4g\n", $1,
            ($2 - 0.0027) * 1.98e6 / (32 * 72 * 8) / 2
    }' tests/hardware/rates-h200.csv "$work/rates"
# 264 blocks of 1024 lanes that add 32 times each, and the launch.
played atomics >"$work/atomics"
awk -F '\t' '$1 !~ /_half$/ {
        printf "predicted-atomics/%s\t%.4g\n", $1,
            $2 * 1.98e6 / (264 * 1024 * 32)
    }' "$work/atomics"
# Of what a single thread follows, 4096 loads. Loads of constants whose lanes
# share a word, or two, are left out: their address costs more than they do, and
# ptxas computes it otherwise.
played caches >"$work/caches"
awk -F '\t' '
    /^held_/ { show($2 * 1e3) }
    /^random_/ { show($2 * 1e9 / (264 * 1024 * 32)) }
    /^latency_constant_/ { show(($2 - 0.0027) * 1.98e6 / 4096) }
    /^constant_(near|far)_(4|8|16|32)_/ {
        show(($2 - 0.0027) * 1.98e6 / (32 * 72 * 8))
    }
    function show(value) { printf "predicted-caches/%s\t%.4g\n", $1, value }
    ' "$work/caches"
