#!/bin/sh
# SPDX-License-Identifier: MIT
# The simulated GPU must count what the hardware counted, in every row of every
# recorded table, as TAP. record.sh records them.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s BUILD="$build" programs hardware >"$work/make.log" 2>&1 || {
    cat "$work/make.log"
    echo "not ok 1 - the solutions and the comparer build"
    echo "1..1"
    exit 1
}
table=tests/hardware/h200.csv
n=0
grep -v '^#' "$table" | tail -n +2 | cut -d, -f1-4 >"$work/rows"
while IFS=, read -r chapter kernel op shape; do
    n=$((n + 1))
    "$build/bin/simgpu" --report "$work/$n.json" "$build/hardware/launch" \
        "$build/hardware/stage/$chapter/$kernel.so" "$op" "$shape" \
        >"$work/$n.log" 2>&1 || cat "$work/$n.log"
done <"$work/rows"
"$build/hardware/compare" "$table" "$work" tests/hardware/explained
