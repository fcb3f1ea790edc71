#!/bin/sh
# SPDX-License-Identifier: MIT
# lines.sh: how much each step asks to be written, as lines `NN KERNEL LINES
# KIND`, separated by tabs, for the workbook in the current folder.
#
# LINES are those of the solution's holes that the starter's do not have, as
# diff finds them, without blank ones. KIND is `step` or, with optional = yes in
# chapter.conf, `optional`.
. common/cli/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for dir in chapters/[0-9][0-9]-*/; do
    dir=${dir%/}
    slug=${dir#chapters/}
    for source in $(ordered "$dir"); do
        name=${source##*/}
        solved=solutions/$slug/$name
        [ -f "$solved" ] || continue
        holes inside "$source" | cut -f 2- >"$work/a"
        holes inside "$solved" | cut -f 2- >"$work/b"
        kind=step
        [ "$(chapter_conf "$dir" optional "${name%.*}")" != yes ] ||
            kind=optional
        printf '%s\t%s\t%d\t%s\n' "${slug%%-*}" "${name%.*}" \
            "$(diff "$work/a" "$work/b" | grep -c '^>.*[^ >]')" $kind
    done
done
