#!/bin/sh
# SPDX-License-Identifier: MIT
# diff.sh diff NN: what this chapter changes, read in its solution: against the
# previous solution, or against the starter where the chapter begins a ladder.
. common/cli/lib.sh

number=$2
chapter=$(chapter_dir chapter "$number")
solution=$(chapter_dir solution "$number")
[ -n "$solution" ] ||
    die "there is no solutions/$number-*: a hand-out without solutions?"
before=$(chapter_conf "$chapter" previous)
[ -z "$before" ] || before=$(chapter_dir solution "$(pad "${before#0}")")

echo "This shows the solution of chapter ${number#0}."
ask "Go on?" || exit 0
keep_starters
colour=never
[ ! -t 1 ] || [ -n "${NO_COLOR+set}" ] || colour=auto

for after in $(kernels "$solution"); do
    name=${after##*/}
    if [ -f "$before/$name" ]; then
        diff -u --color=$colour --label "$before/$name" --label "$after" \
            "$before/$name" "$after"
    else
        starter "$chapter/$name" |
            diff -u --color=$colour --label "$chapter/$name" \
                --label "$after" - "$after"
    fi
    [ $? -le 1 ] || exit 2
done
