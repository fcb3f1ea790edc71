#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER: which of clusters.cu's modes end wrongly under synccheck, and
# whether they do where two blocks share a multiprocessor only. From the root of
# a checkout, on a machine with a GPU of compute capability 9.0, nvcc and
# compute-sanitizer; all runs at a time, 20 seconds at most.
set -u
mkdir -p "$1"
out=$(cd "$1" && pwd)
cuda=$(sh common/cli/find-cuda.sh)
LD_LIBRARY_PATH="$cuda/lib64"
export LD_LIBRARY_PATH
"$cuda/bin/nvcc" -std=c++17 -lineinfo -Icommon -Icommon/op \
    -gencode arch=compute_90,code=sm_90 -o "$out/clusters" \
    tests/hardware/trials/synccheck/clusters.cu || exit 1

one() # MODE RANKS KILOBYTES
{
    plain=$(timeout 5 "$out/clusters" "$@" 2>&1 | tail -n 1)
    timeout 15 compute-sanitizer --tool synccheck --error-exitcode 9 \
        "$out/clusters" "$@" >"$out/$1-$2-$3.txt" 2>&1
    rc=$?
    echo "mode $1, $2 blocks, $3 KB: without the tool $plain," \
        "with it rc $rc: $(grep -v '^=' "$out/$1-$2-$3.txt" | tail -n 1)," \
        "$(grep -e 'ERROR SUMMARY' "$out/$1-$2-$3.txt" | sed 's/=* *//')"
}

for mode in 0 1 2 3 4 7; do
    for ranks in 8 16; do
        for room in 100 120; do
            one "$mode" "$ranks" "$room" &
        done
    done
    wait
done | tee "$out/synccheck.txt"
rm "$out/clusters"
