#!/bin/sh
# SPDX-License-Identifier: MIT
# start.sh start NN: puts the kernel of the step before into the first hole of
# this chapter that you have not touched: your own, if it passed its check,
# else the starter keeps the reference's. Your file is backed up first.
#
#   make start 6                  the first untouched kernel of chapter 6
#   make start 6 KERNEL=halo      this one
#
# The hard idea: only the holes move. What stands around them is the new step's,
# and a hole that the step before does not have keeps what it holds. A kernel
# has passed if the checker says PASS of it now, on the simulated GPU.
. common/cli/lib.sh
. common/cli/backup.sh

number=$2
dir=$(chapter_dir chapter "$number")

untouched() # PATH
{
    starter "$1" | cmp -s - "$1"
}

# An optional kernel, where the one before was left out as well.
left_out() # NAME STEP-BEFORE
{
    [ "$(chapter_conf "$dir" optional "${1%.*}")" = yes ] && untouched "$2"
}

choose() # prints the path of the kernel to start
{
    for source in $(ordered "$dir"); do
        name=${source##*/}
        before=$(file_before chapter "$dir" "$name")
        if [ -n "$KERNEL" ]; then
            [ "${name%.*}" != "$KERNEL" ] || echo "$source"
        elif [ -n "$before" ] && untouched "$source" &&
            ! left_out "$name" "$before"; then
            echo "$source"
            return
        fi
    done
}

passed() # PATH: does the checker say PASS of this kernel?
{
    folder=${1#chapters/}
    of=${folder%%-*}
    name=${1##*/}
    "$BUILD/bin/check" chapter "${of#0}" --kernel "${name%.*}" --device sim \
        --build "$BUILD" --root . >"$work/check" 2>&1
}

nothing_to_copy() # PATH: a step with none before it, or one that was left out
{
    echo "There is nothing to copy: fill the holes of $1."
    exit 0
}

keep_starters
target=$(choose)
if [ -z "$target" ]; then
    [ -z "$KERNEL" ] || die "there is no kernel $KERNEL in $dir."
    for file in $(ordered "$dir"); do
        if untouched "$file"; then
            nothing_to_copy "$file"
        fi
    done
    echo "every kernel of chapter ${number#0} is started; make start" \
        "${number#0} KERNEL=NAME begins one again."
    exit 0
fi
mine=$(file_before chapter "$dir" "${target##*/}")
[ -n "$mine" ] || nothing_to_copy "$target"
step=${mine##*/} step=${step%.*}
if untouched "$mine"; then
    # The starter holds the reference's step before. Whoever begins a chapter
    # may want to skip that one; whoever begins a ladder wants no answer.
    [ "${mine%/*}" != "$dir" ] ||
        die "there is nothing to copy yet: fill the holes of $mine" \
            "(make check-chapter ${number#0} KERNEL=$step)."
    die "$mine is untouched: solve that step first, or go on from the" \
        "reference's, which $target holds already."
fi

work=$(mktemp -d) || die "cannot make a temporary folder."
trap 'rm -rf "$work"' EXIT
echo "checks $mine"
if ! passed "$mine"; then
    sed -n '$p' "$work/check"
    die "$mine does not pass yet, so $target keeps what it holds."
fi
starter "$target" >"$work/starter" || die "no copy of the starter of $target."
awk -v mode=splice -f common/cli/holes.awk "$mine" "$work/starter" \
    >"$work/new" || : # a hole that only the step before has is dropped
untouched "$target" ||
    ask "Replace $target (it is backed up)?" || exit 0
kept=$(backup "${dir##*/}" "$target") ||
    die "cannot write a backup under $PROGRESS: nothing was changed."
cp "$work/new" "$target" || die "cannot write $target; yours is in $kept."
echo "$target now holds your ${mine#chapters/}"
echo "the file as it was: $kept/${target#chapters/}"
