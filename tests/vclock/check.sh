#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh BUILD KIND N SEED=S [OPTION...]: calls check as make does.
build=$1
kind=$2
number=$3
seed=${4#SEED=}
shift 4
exec "$build/bin/check" "$kind" "$number" --seed "$seed" --device sim \
    --build "$build" --root . --json "$build/report/vclock.json" "$@"
