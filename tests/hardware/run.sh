#!/bin/sh
# SPDX-License-Identifier: MIT
# The simulated GPU must count what the hardware counted, in every row of every
# recorded table, as TAP. record.sh records them.
#
# Of the matrix products and fused kernels nothing is run here: their simulated
# counts for check's first shape stand in tests/chapters/counters/RELEASE/,
# which the suite `chapters` holds.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
. tests/nvcc.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s BUILD="$build" programs hardware-ptx >"$work/make.log" 2>&1 || {
    cat "$work/make.log"
    echo "not ok 1 - the solutions and the comparer build"
    echo "1..1"
    exit 1
}
failed=
table=tests/hardware/h200.csv
n=0
grep -v '^#' "$table" | tail -n +2 | cut -d, -f1-4 >"$work/rows"
while IFS=, read -r chapter kernel op shape; do
    n=$((n + 1))
    "$build/bin/simgpu" --report "$work/$n.json" "$build/hardware/launch" \
        "$build/hardware/ptx/$chapter/$kernel.so" "$op" "$shape" \
        >"$work/$n.log" 2>&1 || cat "$work/$n.log"
done <"$work/rows"
"$build/hardware/compare" "$table" "$work" tests/hardware/explained \
    >"$work/run.tap" || failed=yes

# Reports of one launch, made of the recorded lines.
mkdir "$work/ladders"
table=tests/hardware/ladders-h200.csv
n=0
grep -v '^#' "$table" | tail -n +2 | cut -d, -f1,2 >"$work/rows"
while IFS=, read -r chapter kernel; do
    n=$((n + 1))
    awk -F '\t' -v chapter="$chapter" -v kernel="$kernel" \
        '$1 == chapter && $2 == kernel && $4 ~ /^[0-9.e+-]+$/ {
            print $3 "\t" $4 }' "tests/chapters/counters/13.0/$chapter.tsv" |
        jq -R -n '{launches: [{counters: [inputs | split("\t")
            | {key: .[0], value: (.[1] | tonumber)}] | from_entries}]}' \
            >"$work/ladders/$n.json"
done <"$work/rows"
"$build/hardware/compare" "$table" "$work/ladders" \
    tests/hardware/ladders-explained >"$work/ladders.tap" || failed=yes
awk '/^1\.\.[0-9]+$/ { next }
     { if (sub(/^ok [0-9]+/, "ok " n + 1) ||
           sub(/^not ok [0-9]+/, "not ok " n + 1)) n++
       print }
     END { print "1.." n }' "$work/run.tap" "$work/ladders.tap"
[ -z "$failed" ]
