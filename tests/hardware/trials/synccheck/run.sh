#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER: which of clusters.cu's modes end wrongly under synccheck, as it
# is and with room for more barriers. From the root of a checkout, on a machine
# with a GPU of compute capability 9.0, nvcc and compute-sanitizer; 40 seconds.
#
# On an H100 (CUDA 13.0, driver 580.159.04, commit 1e454881) modes 0 to 2, and
# mode 3 in part (then the time was over), gave right results without the tool,
# and each of these runs ended under synccheck by an illegal access or a launch
# failure. Each time it warned: "Detected overflow of tracked cuda::barrier
# structures. Results might be incorrect. Try using --num-cuda-barriers to fix
# the issue." Mode 0 has nothing but barriers and the cluster's own.
# With room for 65536 barriers (commit 0b4a8817) 8 blocks of 120 KB end well; 16
# of 100 KB, two on a multiprocessor, still end by an illegal access, of which
# the tool reports no error.
set -u
mkdir -p "$1"
out=$(cd "$1" && pwd)
cuda=$(sh common/cli/find-cuda.sh)
LD_LIBRARY_PATH="$cuda/lib64"
export LD_LIBRARY_PATH
"$cuda/bin/nvcc" -std=c++17 -lineinfo -Icommon -Icommon/op \
    -gencode arch=compute_90,code=sm_90 -o "$out/clusters" \
    tests/hardware/trials/synccheck/clusters.cu || exit 1

one() # BARRIERS MODE RANKS KILOBYTES; BARRIERS 0: as the tool has it
{
    barriers=$1
    shift
    [ "$barriers" -eq 0 ] && more= || more="--num-cuda-barriers $barriers"
    plain=$(timeout 5 "$out/clusters" "$@" 2>&1 | tail -n 1)
    said="$out/$barriers-$1-$2-$3.txt"
    # shellcheck disable=SC2086 # an option and its value, or nothing
    timeout 15 compute-sanitizer --tool synccheck $more --error-exitcode 9 \
        "$out/clusters" "$@" >"$said" 2>&1
    rc=$?
    echo "mode $1, $2 blocks, $3 KB, room for $barriers barriers: without the" \
        "tool $plain, with it rc $rc: $(grep -v '^=' "$said" | tail -n 1)," \
        "$(grep -e 'ERROR SUMMARY' "$said" | sed 's/=* *//')"
}

for mode in 0 7; do
    for barriers in 0 16384 65536; do
        one "$barriers" "$mode" 8 120 &
        one "$barriers" "$mode" 16 100 &
        wait
    done
done | tee "$out/synccheck.txt"
rm "$out/clusters"
