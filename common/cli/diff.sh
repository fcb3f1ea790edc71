#!/bin/sh
# SPDX-License-Identifier: MIT
# diff.sh diff NN: shows what this chapter's solution changes: compared with the
# previous solution, or with the starter if the chapter begins a ladder.
. common/cli/lib.sh

number=$2
chapter=$(chapter_dir chapter "$number")
solution=$(chapter_dir solution "$number")
[ -n "$solution" ] ||
    die "there is no solutions/$number-*: a hand-out without solutions?"

echo "This shows the solution of chapter ${number#0}."
ask "Go on?" || exit 0
keep_starters
colour=never
[ ! -t 1 ] || [ -n "${NO_COLOR+set}" ] || colour=auto

for source in $(ordered "$chapter"); do
    name=${source##*/}
    after=$solution/$name
    before=$(solution_before "$chapter" "$name")
    if [ -n "$before" ]; then
        diff -u --color=$colour --label "$before" --label "$after" \
            "$before" "$after"
    else
        starter "$source" |
            diff -u --color=$colour --label "$source" --label "$after" \
                - "$after"
    fi
    [ $? -le 1 ] || exit 2
done
