#!/bin/sh
# SPDX-License-Identifier: MIT
# predicted-changes.sh BUILD [CHANGES]: what the traffic model predicts, at the
# timed shapes on an H200, for solutions with the changes of a list
# (book/changes), as lines of the book's facts. `make predictions` writes them to
# book/predicted-changes.tsv; tests/predict holds them to it.
set -eu
cd "$(dirname "$0")/.."
. common/cli/lib.sh
build=$1
list=${2:-book/changes}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is watched beside the prediction may be small.
small() # CHAPTER KERNEL
{
    small_shapes "$1" | awk -F '\t' -v kernel="$2" '$1 == kernel { print $2 }'
}

# The changed file stands where the last run left it: it need not be built again.
one() # NN/KERNEL/CHANGE SED
{
    n=${1%%/*} kernel=${1#*/}
    kernel=${kernel%/*}
    solution=$(echo solutions/"$n"-*)
    to=$build/changes/$1
    rm -rf "$to"
    mkdir -p "$to"
    cp "$solution"/*.cu* "$to"
    sed "$2" "$solution/$kernel.cu" >"$to/$kernel.cu"
    ! cmp -s "$solution/$kernel.cu" "$to/$kernel.cu" ||
        die "$list: $1 changes nothing in $solution/$kernel.cu"
    chapter=$(chapter_dir chapter "$n")
    "$build/bin/check" chapter "${n#0}" --src "$to" --build "$build" \
        --root . --seed 1 --kernel "$kernel" --inspect "$to/seen.json" \
        --shape "$(small "$chapter" "$kernel")" </dev/null
    "$build/bin/trace" predicted "$to/seen.json" |
        sed -n "s|^predicted/$n/$kernel/ms|predicted-change/$1/ms|p"
}

echo "# The traffic model's times of the solutions with the changes of"
echo "# book/changes, for an NVIDIA H200; by make predictions. Toolkit: $(
    "${NVCC:-nvcc}" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
count=0
while IFS=$(printf '\t') read -r name change; do
    case $name in '#'*) continue ;; esac
    one "$name" "$change" >"$work/$count" &
    count=$((count + 1))
    [ $((count % 2)) -ne 0 ] || wait # two at a time
done <"$list"
wait
i=0
while [ "$i" -lt "$count" ]; do
    grep . "$work/$i" # it failed, and has said why
    i=$((i + 1))
done
