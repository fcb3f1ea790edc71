#!/bin/sh
# SPDX-License-Identifier: MIT
# predicted.sh BUILD [NN...]: what the traffic model predicts for the solutions
# at their timed shapes on an H200, as lines of facts.sh. `make predictions`
# writes them to book/predicted.tsv; tests/predict holds them to it.
set -eu
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- solutions/*/

echo "# The traffic model's times of the solutions at their timed shapes, for an"
echo "# NVIDIA H200; by make predictions. Toolkit: $("${NVCC:-nvcc}" --version |
    sed -n 's/.*release \([0-9.]*\).*/\1/p')"
# What is watched beside the prediction may be small.
small() # CHAPTER.CONF: the last of its first kernel's shapes
{
    awk -F '[=;] *' '/^sim_shapes/ { print $NF; exit }' "$1"
}

for folder; do
    n=${folder#solutions/}
    n=${n%%-*}
    grep -q '^time_shape' chapters/"$n"-*/chapter.conf || continue
    "$build/bin/check" solution "${n#0}" --build "$build" --root . --seed 1 \
        --shape "$(small chapters/"$n"-*/chapter.conf)" --inspect "$work/$n.json" &&
        "$build/bin/trace" predicted "$work/$n.json"
done
