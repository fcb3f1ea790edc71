#!/bin/sh
# SPDX-License-Identifier: MIT
# predicted.sh BUILD [NN...]: what the traffic model predicts for the solutions
# at their timed shapes on an H200, as lines of the book's
# facts. `make predictions` writes them to book/predicted.tsv; tests/predict holds them to it.
set -eu
cd "$(dirname "$0")/.."
. common/cli/lib.sh
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- solutions/*/

echo "# The traffic model's times of the solutions at their timed shapes, for an"
echo "# NVIDIA H200; by make predictions. Toolkit: $("${NVCC:-nvcc}" --version |
    sed -n 's/.*release \([0-9.]*\).*/\1/p')"
# What is watched beside the prediction may be small: KERNEL=SHAPE; one line for
# all kernels, of the first, if their dimensions are alike.
small() # CHAPTER
{
    small_shapes "$1" | awk -F '\t' '
        {
            shape[n++] = $1 "=" $2
            gsub(/[0-9]/, "", $2)
            if (!($2 in seen)) kinds++
            seen[$2]
        }
        END {
            if (kinds == 1) sub(/^[^=]*/, "", shape[0])
            for (i = 0; i < (kinds == 1 ? 1 : n); i++) print shape[i]
        }'
}

for folder; do
    n=${folder#solutions/}
    n=${n%%-*}
    chapter=$(chapter_dir chapter "$n")
    conf_lines "$chapter" | cut -f 3 | grep -qx time_shape || continue
    small "$chapter" >"$work/shapes"
    while IFS='=' read -r kernel shape; do
        "$build/bin/check" solution "${n#0}" --build "$build" --root . \
            --seed 1 ${kernel:+--kernel "$kernel"} --shape "$shape" \
            --inspect "$work/$n.json" </dev/null &&
            "$build/bin/trace" predicted "$work/$n.json"
    done <"$work/shapes"
done
