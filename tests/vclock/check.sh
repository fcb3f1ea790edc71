#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh BUILD KIND N SEED=S [OPTION...]: calls check as make does.
# check.sh BUILD tune SWEEP.tsv DEPTH TREES: make tune, with the solution's
# tree, fitted to a sweep of chapter 23.
build=$1
kind=$2
number=$3
mkdir -p "$build/report"
seed=${4#SEED=}
if [ "$kind" = tune ]; then
    step=$build/stage/solution/23/tree.so
    "$build/bin/check" solution 23 --kernel tree --seed 1 --device sim \
        --build "$build" --root . --json "$build/report/vclock.json" >/dev/null
    exec "$build/bin/tune" "$step" chapters/23-shape-map/"$number" "$4" "$5" \
        "$build/report/tune.h" "$build/report/tune-forest.h" \
        "chapters/23-shape-map/$(echo "$number" | sed s/sweep/candidates/)"
fi
shift 4
exec "$build/bin/check" "$kind" "$number" --seed "$seed" --device sim \
    --build "$build" --root . --json "$build/report/vclock.json" "$@"
