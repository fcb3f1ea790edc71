#!/bin/sh
# SPDX-License-Identifier: MIT
# chapter.sh COMMAND -- WORD...: prints the two-digit number of the one chapter
# that the words name (5, 05, 05-slug, chapters/05-slug), or says what is wrong.
. common/cli/lib.sh

command=$1
[ "$2" = -- ] || die "one command at a time: make $1 or make $2?"
shift 2
kind=chapter
[ "$command" != check-solution ] || kind=solution

list_chapters()
{
    echo "There are:"
    for dir in chapters/[0-9][0-9]-*/; do
        [ -d "$dir" ] || continue
        name=${dir#chapters/}
        printf '    %s  %s\n' "${name%%-*}" "$(chapter_conf "$dir" title)"
    done
}

number=
for word; do
    digits=${word#chapters/}
    digits=${digits#solutions/}
    digits=${digits%%-*}
    case $digits in
    '' | *[!0-9]* | ???*)
        die "'$word' is not a chapter number." \
            "A command takes one: make $command 5"
        ;;
    esac
    digits=$(pad "${digits#0}")
    if [ -n "$number" ] && [ "$number" != "$digits" ]; then
        die "make $command takes one chapter, not two: ${number#0} and" \
            "${digits#0}. Type them one after the other."
    fi
    number=$digits
done

[ -n "$number" ] || die "make $command needs a chapter: make $command 5" \
    "$(list_chapters)"
[ -n "$(chapter_dir chapter "$number")" ] ||
    die "there is no chapter ${number#0}. $(list_chapters)"
[ -n "$(chapter_dir $kind "$number")" ] ||
    die "there is no solutions/$number-*: a hand-out without solutions?" \
        "To check your own stage: make check-chapter ${number#0}"
echo "$number"
