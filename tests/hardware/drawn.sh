#!/bin/sh
# SPDX-License-Identifier: MIT
# How many drawn sizes each solution gets right on this machine's GPU, as a
# table on standard output; it fails if one is wrong.
#
#   tests/hardware/drawn.sh build 10 11 12 >book/results/nvidia-h200/drawn.tsv
#
# Arguments: the build folder and chapters. DRAW: sizes per stage, SEED: of the
# sizes and inputs, JOBS: stages at a time, DEVICE=sim: on the simulated GPU.
set -eu
build=$1
shift
export build DRAW="${DRAW:-150}" SEED="${SEED:-1}" DEVICE="${DEVICE:-gpu}"
echo "# make check-solution N KERNEL=... DRAW=$DRAW SEED=$SEED DEVICE=$DEVICE"
if [ "$DEVICE" = gpu ]; then
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader |
        head -n 1)
    echo "# $gpu, driver $driver, $(date -u +%Y-%m-%d)," \
        "commit ${COMMIT:-$(git rev-parse --short HEAD)}"
fi
echo "# chapter, kernel, sizes drawn, sizes right"

# shellcheck disable=SC2016 # the inner shell expands it
one='work=$(mktemp -d)
    "$build/bin/check" solution "${0#0}" --kernel "$1" --draw "$DRAW" \
        --seed "$SEED" --device "$DEVICE" --build "$build" --root . --jobs 1 \
        --json "$work/report.json" >"$work/said" 2>&1 || code=$?
    counts=$("$build/bin/check" --facts "$work/report.json" 2>/dev/null |
        awk -F "\t" "/correct\/planned/ { planned = \$2 }
            /correct\/passed/ { passed = \$2 }
            END { printf \"%d\t%d\", planned, passed }")
    printf "%s\t%s\t%s\n" "$0" "$1" "$counts"
    [ "${code:-0}" = 0 ] || { cat "$work/said" >&2; rm -r "$work"; exit 1; }
    rm -r "$work"'
for number; do
    awk -v number="$number" '/^\[/ && !/^\[chapter\]/ {
        gsub(/[][]/, ""); print number, $0 }' chapters/"$number"-*/chapter.conf
done | xargs -P "${JOBS:-8}" -L 1 sh -c "$one" | sort
