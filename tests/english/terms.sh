#!/bin/sh
# SPDX-License-Identifier: MIT
# terms.sh TERMS-FOLDER LESSONS-FOLDER: prints what is wrong with the lessons by
# the lists of terms: an explanation that is not there, or a lesson that uses a
# term before the one that explains it.
#
# NN.tsv in the first folder has the terms that lesson NN explains first, as
# lines TERM, PATTERN (extended regular expression) of its use, words of the
# explanation, with tabs between.
#
# Generated parts (tables of results, quoted reports, titles of further reading)
# and links to a later chapter do not count as a use.
terms=$1
folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for lesson in "$folder"/[0-9][0-9]-*/README.md; do
    number=${lesson#"$folder/"}
    number=${number%%-*}
    awk '
        /^```/ { code = !code; next }
        /^<!-- (table|figure): / { made = 1 }
        /^<!-- \/(table|figure)/ { made = 0; next }
        /^## / { reading = /Further reading/ }
        code || made || reading { next }
        { gsub(/<!--[^>]*-->/, ""); gsub(/\]\([^)]*\)/, "]"); print }
        ' "$lesson" |
        tr '\n' ' ' | tr -s ' ' >"$work/$number"
done

for list in "$terms"/[0-9][0-9].tsv; do
    page=${list##*/}
    sed "s/^/${page%.tsv}	/" "$list"
done | while IFS='	' read -r page term pattern words; do
    grep -qF -- "$words" "$work/$page" 2>/dev/null ||
        echo "$page does not explain \"$term\": no \"$words\""
    before=
    for text in "$work"/[0-9][0-9]; do
        [ "${text##*/}" -lt "$page" ] || break
        before="$before $text"
    done
    # shellcheck disable=SC2086 # paths have no blanks
    [ -z "$before" ] || grep -Eil -- "$pattern" $before | while read -r text; do
        grep -Eio -- ".{0,40}($pattern).{0,20}" "$text" | head -n 1 |
            sed "s/^/${text##*/} uses \"$term\" before $page explains it: /"
    done
done
