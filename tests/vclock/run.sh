#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the virtual clock, as TAP: the same seed gives the same digits, even on
# a busy machine; the lessons quote what check prints.
#
#   sh tests/vclock/run.sh write    updates these quotes in the lessons
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check="sh tests/vclock/check.sh $BUILD"

quoted() # PAGE: its text, with current quotes
{
    awk -v check="$check" -f tests/vclock/quoted.awk "$1"
}

pages()
{
    grep -l '^<!-- check: ' chapters/*/README.md
}

if [ "${1-}" = write ]; then
    pages | while read -r page; do
        quoted "$page" >"$work/page" && cat "$work/page" >"$page"
    done
    exit
fi

as_quoted() # PAGE
{
    quoted "$1" 2>/dev/null | diff "$1" -
}

# All but the time that the check itself took, and that it waits.
says() # WORDS
{
    # shellcheck disable=SC2086
    $check "$@" 2>/dev/null | sed 's/; [0-9.]* s$//'
}

same_digits()
{
    says solution 2 SEED=7 >"$work/calm"
    for n in 1 2 3; do # concurrently, so that they disturb each other
        says solution 2 SEED=7 >"$work/busy.$n" &
    done
    wait
    for busy in "$work"/busy.*; do diff "$work/calm" "$busy"; done
    grep -q '8 of 8 cases right' "$work/calm" || cat "$work/calm"
}

other_digits()
{
    says solution 2 SEED=8 >"$work/other"
    ! cmp -s "$work/calm" "$work/other" || echo "seed 8 gives seed 7's times"
}

no_luck() # the solution passes, the starter passes no trap, at any seed
{
    for seed in $(seq 100 119); do
        says solution 2 "SEED=$seed" | grep -q '8 of 8 cases right' ||
            echo "the solution fails with SEED=$seed"
        says chapter 2 "SEED=$seed" | grep -q ' 0 of 8 cases right' ||
            echo "the starter passes a trap with SEED=$seed"
    done
}

# The lesson's order: each step mends the trap that the report names, and the
# next one is named then.
one_step_a_trap()
{
    mkdir -p "$work/src"
    cp chapters/02-*/timer.c "$work/src/"
    for step in tests/vclock/steps/*.c; do
        awk -v mode=splice -f common/cli/holes.awk "$step" "$work/src/timer.c" \
            >"$work/timer.c" || echo "$step names a hole that is not there"
        mv "$work/timer.c" "$work/src/timer.c"
        next=$(sed -n 's|^// next: ||p' "$step")
        $check chapter 2 SEED=3 --src "$work/src" >"$work/step" 2>&1
        grep -q "^    $next: \|^timer.c  $next" "$work/step" || {
            echo "after $step, not $next:"
            cat "$work/step"
        }
    done
}

quiet "a seed gives the same digits on a busy machine" same_digits
quiet "another seed gives others" other_digits
quiet "twenty seeds: solution all traps, starter none" no_luck
quiet "each step of the lesson mends one trap" one_step_a_trap
for page in $(pages); do
    quiet "$page quotes what check says" as_quoted "$page"
done
plan
