#!/bin/sh
# SPDX-License-Identifier: MIT
# What NVIDIA's compute-sanitizer says of the solutions, on a machine with a
# GPU, as a table on standard output; it fails if a tool found something.
#
#   make hardware && tests/hardware/sanitize.sh build \
#       tests/hardware/ladders >book/results/nvidia-h200/compute-sanitizer.txt
#
# Arguments: the build folder and files of cases (STAGE KERNEL OPERATOR SHAPE);
# without files, all of them. JOBS: how many run at a time.
set -eu
here=$(dirname "$0")
export build="${1:-build}"
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- "$here/cases" "$here/ladders"

gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader |
    head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
commit=${COMMIT:-$(git rev-parse --short HEAD)}
echo "# compute-sanitizer --tool TOOL --error-exitcode 9" \
    "$build/hardware/launch $build/hardware/stage/STAGE.so OPERATOR SHAPE"
echo "# $gpu, driver $driver, CUDA $toolkit, $(date -u +%Y-%m-%d)," \
    "commit $commit"

# shellcheck disable=SC2016 # the inner shell expands it
one='tool=$0 chapter=$1 kernel=$2 op=$3
    shift 3
    rc=0
    said=$(timeout 300 compute-sanitizer --tool "$tool" --error-exitcode 9 \
        "$build/hardware/launch" \
        "$build/hardware/stage/$chapter/$kernel.so" "$op" "$*" 2>&1) || rc=$?
    echo "$tool $chapter/$kernel $* rc=$rc" \
        "$(echo "$said" | grep SUMMARY || echo "$said" | tail -n 1)"'
grep -hv '^#' "$@" | while read -r line; do
    for tool in memcheck initcheck racecheck synccheck; do
        echo "$tool $line"
    done
done | xargs -P "${JOBS:-8}" -L 1 sh -c "$one" |
    awk '{ print } !/ rc=0 / { bad++ }
         END { exit !NR || bad > 0 }'
