#!/bin/sh
# SPDX-License-Identifier: MIT
# unknown.sh WORD: for a word that make does not know; suggests a command.
word=$1
case $word in
[0-9] | [0-9][0-9])
    echo "$word is a chapter; which command? make check-chapter $word" >&2
    exit 2
    ;;
*/* | *.*)
    echo "'$word' is missing, and there is no rule to make it." >&2
    exit 2
    ;;
esac

# The command with the smallest edit distance, if that is small.
near=$(awk -v word="$word" '
    function least(a, b) { return a < b ? a : b }
    function distance(s, t,    i, j, d) {
        for (i = 0; i <= length(s); i++) d[i, 0] = i
        for (j = 0; j <= length(t); j++) d[0, j] = j
        for (i = 1; i <= length(s); i++)
            for (j = 1; j <= length(t); j++)
                d[i, j] = least(least(d[i-1, j], d[i, j-1]) + 1,
                    d[i-1, j-1] + (substr(s, i, 1) != substr(t, j, 1)))
        return d[length(s), length(t)]
    }
    BEGIN { best = 1 + int(length(word) / 2) }
    $1 == "make" {
        d = distance(word, $2)
        if (index($2, word) == 1) d = 0
        if (d < best) { best = d; near = $2 }
    }
    END { print near }' common/cli/help.txt)

echo "there is no command '$word'.${near:+ Did you mean: make $near?}" >&2
echo "make prints all commands." >&2
exit 2
