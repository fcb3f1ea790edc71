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

near=$(awk '$1 == "make" { print $2 }' common/cli/help.txt |
    awk -v word="$word" -f common/cli/nearest.awk)

echo "there is no command '$word'.${near:+ Did you mean: make $near?}" >&2
echo "make prints all commands." >&2
exit 2
