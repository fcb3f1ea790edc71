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

note_verdict() # EXIT-CODE: only for a whole check of the learner's own folder
{
    [ "$command$SRC$KERNEL$CASE$SHAPE$DRAW" = check-chapter ] || return 0
    word=$(verdict "$1")
    [ -n "$word" ] || return 0
    remember "$number/verdict" "$word"
    [ "$word" != PASS ] || remember "$number/passed" "$(stamp)"
}

keep_starters
"$BUILD/bin/check" "$@"
code=$?
(note_verdict $code) # in a subshell: even if it fails, the verdict counts
exit $code
