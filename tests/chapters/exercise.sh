#!/bin/sh
# SPDX-License-Identifier: MIT
# exercise.sh DIFF: holds a lesson's "Find the bug" to its answer, and prints
# what does not hold: the wrong kernel is right where its author tried it, gets
# the verdict that the answer explains, with these words, and the mended one is
# PASS. DIFF is what stands between the two, below lines of
#
#   chapter: 6
#   kernel: halo
#   tried: B4 H3 L48 K48       a shape where the wrong one is right (optional)
#   shape: B1 H2 L127 K64      where it is not; without, check finds a shape
#   verdict: WRONG
#   says: WORDS                of the report; repeatable
#
# It changes a file of chapters/NN-slug/exercise/, which is wrong, into the
# mended one; or a solution, which the lesson asks the reader to break.
DIFF=$1
BUILD=${BUILD:-build}
. tests/nvcc.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

field() # KEY
{
    sed -n "/^--- /q; s/^$1: //p" "$DIFF"
}

lay_out() # both kernels, in $work/wrong and $work/mended
{
    file=$(sed -n 's|^--- a/||p' "$DIFF")
    mkdir "$work/wrong" "$work/mended"
    case $file in
    chapters/*) from=wrong to=mended ;;
    *) from=mended to=wrong ;;
    esac
    cp "$file" "$work/$from" &&
        patch -s -o "$work/$to/${file##*/}" "$file" "$DIFF"
}

check() # WHICH [OPTION VALUE]
{
    which=$1
    shift
    "$BUILD/bin/check" chapter "$(field chapter)" --kernel "$(field kernel)" \
        --src "$work/$which" --device sim --build "$BUILD" --root . --seed 1 \
        --remember "$BUILD/predicted" --json "$work/run.json" "$@" \
        >"$work/report" 2>&1 </dev/null
    "$BUILD/bin/check" --facts "$work/run.json" >"$work/facts" 2>/dev/null
}

verdict_is() # VERDICT
{
    grep -qx "verdict	$1" "$work/facts" || {
        echo "the $which kernel is not $1:"
        cat "$work/report"
    }
}

all_right()
{
    grep -q 'correct \([0-9]*\) of \1 cases right' "$work/report" || {
        echo "the wrong kernel is not right where it was tried:"
        cat "$work/report"
    }
}

says()
{
    sed 's/^ *//' "$work/report" | tr '\n' ' ' >"$work/line"
    field says >"$work/words"
    [ -s "$work/words" ] || echo "$DIFF: no line says:"
    while read -r words; do
        grep -qF -- "$words" "$work/line" || {
            echo "not said: $words"
            cat "$work/report"
        }
    done <"$work/words"
}

lay_out || exit
if [ -n "$(field tried)" ]; then
    check wrong --shape "$(field tried)"
    all_right
fi
shape=$(field shape)
check wrong ${shape:+--shape "$shape"}
verdict_is "$(field verdict)"
says
case $file in solutions/*) exit ;; esac # checked as such: run.sh
check mended
verdict_is PASS
