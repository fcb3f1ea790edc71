#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh COMMAND NN: runs the checker with make's variables as its options,
# and stores the verdict for `make list` and `make next`.
. common/cli/lib.sh

command=$1
number=$2
kind=chapter
[ "$command" != check-solution ] || kind=solution

set -- "$kind" "${number#0}" --build "$BUILD" --root .
[ -z "$DEVICE" ] || set -- "$@" --device "$DEVICE"
[ -z "$GPU" ] || set -- "$@" --gpu "$GPU"
[ -z "$SEED" ] || set -- "$@" --seed "$SEED"
[ -z "$KERNEL" ] || set -- "$@" --kernel "$KERNEL"
[ -z "$CASE" ] || set -- "$@" --case "$CASE"
[ -z "$SHAPE" ] || set -- "$@" --shape "$SHAPE"
[ -z "$DRAW" ] || set -- "$@" --draw "$DRAW"
[ -z "$SRC" ] || set -- "$@" --src "$SRC"
[ -z "$JSON" ] || set -- "$@" --json "$JSON"
[ -z "$GRADE" ] || set -- "$@" --grade
[ -z "$PREBUILT" ] || set -- "$@" --prebuilt
[ "$command" != run ] || set -- "$@" --run

[ -x "$BUILD/bin/check" ] ||
    die "$BUILD/bin/check is missing: PREBUILT=1 needs a carried build." \
        "Without PREBUILT=1, make builds it."

verdict() # EXIT-CODE: the verdict's word
{
    "$BUILD/bin/check" --facts verdicts |
        awk -v code="$1" '$2 == code { print $1 }'
}

said_of() # KERNEL: its verdict, in a check of the whole chapter
{
    "$BUILD/bin/check" --facts "${JSON:-$BUILD/report/chapter-$number.json}" \
        2>/dev/null | awk -F '\t' -v verdict="kernels/$1/verdict" \
            '$1 == verdict { print $2 }'
}

note_kernels() # VERDICT of KERNEL alone, or of the chapter
{
    dir=$(chapter_dir chapter "$number")
    for source in $(kernels "$dir"); do
        this=${source##*/} this=${this%.*}
        if [ -n "$KERNEL" ]; then
            [ "$KERNEL" != "$this" ] || note_kernel "$number" "$source" "$1"
        else
            said=$(said_of "$this")
            [ -z "$said" ] || note_kernel "$number" "$source" "$said"
        fi
    done
}

# The chapter's verdict once this kernel was checked alone: PASS when each that
# counts has passed as it is now.
whole() # VERDICT
{
    for source in $(ordered "$dir"); do
        this=${source##*/} this=${this%.*}
        if ! kernel_passed "$number" "$source" &&
            [ "$(chapter_conf "$dir" optional "$this")" != yes ]; then
            [ "$1" != PASS ] || return 0 # another one is open: nothing is new
            [ "$(chapter_conf "$dir" optional "$KERNEL")" = yes ] || echo "$1"
            return 0
        fi
    done
    echo PASS
}

note_verdict() # EXIT-CODE: of the learner's own folder, and of all cases
{
    [ "$command$SRC$CASE$SHAPE$DRAW" = check-chapter ] || return 0
    word=$(verdict "$1")
    [ -n "$word" ] || return 0
    note_kernels "$word"
    [ -z "$KERNEL" ] || word=$(whole "$word")
    [ -n "$word" ] || return 0
    remember "$number/verdict" "$word"
    [ "$word" != PASS ] || remember "$number/passed" "$(stamp)"
}

keep_starters
"$BUILD/bin/check" "$@"
code=$?
(note_verdict $code) # in a subshell: even if it fails, the verdict counts
exit $code
