#!/bin/sh
# SPDX-License-Identifier: MIT
# times.sh: what a check of each chapter costs on this machine, in seconds of
# processors, into times.tsv: the chapter, and
#
#   first    make check-solution N with nothing built
#   edit     the same after an edit of its last kernel
#   again    the same with nothing to do
#
# Two cores wait between half of that and all of it. The programs must be built.
set -eu
cd "$(dirname "$0")/../.."
. common/cli/lib.sh
BUILD=${BUILD:-build}
out=tests/steps/times.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# A tree of our own: edits must not touch the workbook.
mkdir -p "$work/tree/build"
tar cf - Makefile chapters solutions common checker | tar xf - -C "$work/tree"
for part in bin simgpu harness vclock; do
    cp -a "$BUILD/$part" "$work/tree/build/"
done
cd "$work/tree"

# Of processors, those of its children included.
seconds() # COMMAND...
{
    (
        "$@" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; } >&2
        times >"$work/times"
    ) || exit
    awk -F '[ms ]+' 'NR == 2 { printf "%.2f", 60 * ($1 + $3) + $2 + $4 }' \
        "$work/times"
}

check()
{
    build/bin/check solution "$1" --device sim --build build --root . \
        --seed 1 </dev/null
}

for dir in chapters/[0-9][0-9]-*/; do
    slug=$(basename "$dir")
    number=${slug%%-*}
    first=$(seconds check "${number#0}")
    edited=$(ordered "${dir%/}" | tail -n 1)
    edited=solutions/$slug/${edited##*/}
    case $edited in
    *.cu) echo "static __global__ void edited(int *p) { *p = 1; }" ;;
    *) echo "extern int edited;" ;;
    esac >>"$edited"
    edit=$(seconds check "${number#0}")
    again=$(seconds check "${number#0}")
    printf '%s\t%s\t%s\t%s\n' "$number" "$first" "$edit" "$again"
done >"$work/rows"
cd "$OLDPWD"
{
    printf '# Seconds of processors for the solutions (%s, %s), with nvcc. ' \
        "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
        "$(date +%Y-%m-%d)"
    echo 'Two cores wait between half of that and all of it.'
    cat "$work/rows"
} >$out
