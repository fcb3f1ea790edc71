#!/bin/sh
# SPDX-License-Identifier: MIT
# The English of pages and messages, as TAP: no lesson, hint, page of the book,
# README or help text uses a phrase of `phrases`, but for what stands in
# `except`, and no lesson a term before the lesson that explains it
# (`terms/NN.tsv`). Neither code blocks nor drawings count.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
HERE=tests/english
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each on a line, behind its file's name and the number of its first line.
paragraphs() # FILE...
{
    awk '
        function done()
        {
            if (text != "") print page ":" first ":" text
            text = ""
        }
        FNR == 1 { done(); page = FILENAME; code = 0 }
        /^ *```/ { done(); code = !code; next }
        code { next }
        /^    / && text == "" { next }
        /^[ \t]*$/ { done(); next }
        { gsub(/<!--[^>]*-->/, ""); gsub(/^ +/, "") }
        text == "" { first = FNR }
        { text = text " " $0 }
        END { done() }' "$@"
}

# All pages at once: a process per page and phrase would take ten seconds.
stumbles() # FILE...
{
    sed '/^#/d; s|.*|s/&/-/g|' $HERE/except >"$work/less"
    paragraphs "$@" | sed -f "$work/less" >"$work/text"
    grep -v '^#' $HERE/phrases | while IFS='	' read -r pattern instead; do
        grep -Eio "^[^:]*:[0-9]*:|$pattern" "$work/text" |
            awk -v say="$instead" '
                /^[^:]*:[0-9]+:$/ { at = $0; next }
                { print at " \"" $0 "\": " say }'
    done
}

pages()
{
    ls README.md CONTRIBUTING.md common/cli/help.txt book/index.md \
        book/front/*.md book/appendix/*.md chapters/*/README.md \
        chapters/*/hints.md
}

all()
{
    # shellcheck disable=SC2046 # paths have no blanks
    stumbles $(pages)
}

sees() # WORDS
{
    printf 'There are\n%s in it.\n' "$1" >"$work/page"
    stumbles "$work/page" | grep -q . || echo "not seen: $1"
}

each_is_seen()
{
    sees '256 threads a block'
    sees 'Where a GPU is, time'
    sees 'half as fast again'
    sees 'Nobody'"'"'s words'
}

code_is_not_read()
{
    printf 'So:\n\n    256 threads a block\n\n```\nthreads a block\n```\n' \
        >"$work/page"
    stumbles "$work/page"
}

# The list must be able to fail: a term used too early, and one not explained.
terms_can_fail()
{
    mkdir -p "$work/lessons/01-a" "$work/lessons/02-b" "$work/terms"
    echo 'A quux is here.' >"$work/lessons/01-a/README.md"
    echo 'A *quux* is a thing.' >"$work/lessons/02-b/README.md"
    printf 'foo\tfoo\tA *foo* is\n' >"$work/terms/01.tsv"
    printf 'quux\tquux\tA *quux* is\n' >"$work/terms/02.tsv"
    sh $HERE/terms.sh "$work/terms" "$work/lessons" >"$work/said"
    grep -q '^01 uses "quux" before 02' "$work/said" || echo "early use unseen"
    grep -q '^01 does not explain "foo"' "$work/said" || echo "no explanation?"
}

quiet "each term is explained before a lesson uses it" \
    sh $HERE/terms.sh $HERE/terms chapters
quiet "an early use and a missing explanation are seen" terms_can_fail
quiet "no page uses a forbidden phrase" all
quiet "a forbidden phrase is seen, across lines too" each_is_seen
quiet "code and drawings are left out" code_is_not_read
plan
