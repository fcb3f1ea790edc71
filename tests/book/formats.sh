#!/bin/sh
# SPDX-License-Identifier: MIT
# formats.sh: the PDF and the EPUB, as TAP, a part of make test-book. What
# Overfull lines and lost targets say of the PDF ends its build already.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
book=${BUILD:-build}/book

builds() # GOAL
{
    make -s BUILD="${BUILD:-build}" "$1" >"$book/words" 2>&1 ||
        cat "$book/words"
}

every_page_is_there() # every page's title stands in the text
{
    pdftotext -layout "$book/warpbook.pdf" - | tr -s ' \n' ' ' \
        >"$book/text"
    awk -F '\t' '$3 == 1 { print $4 }' "$book/outline.tsv" |
        while read -r title; do
            grep -qF "$title" "$book/text" || echo "not in the PDF: $title"
        done
}

answers_are_shown()
{
    want=$(cat chapters/*/README.md | grep -c '<summary>Answer</summary>')
    got=$(pdftotext "$book/warpbook.pdf" - | grep -cx 'Answer')
    [ "$want" -gt 0 ] && [ "$want" = "$got" ] ||
        echo "$got answers shown, the lessons have $want"
}

checker_is_strict() # a line too wide must not pass
{
    echo 'Overfull \hbox (3.0pt too wide) in paragraph' >"$book/overfull.log"
    sh book/pdf-check.sh "$book/overfull.log" >/dev/null 2>&1 &&
        echo "an overfull line passed"
}

epub_is_valid()
{
    java -jar "$(command -v epubcheck)" -q "$book/warpbook.epub"
}

quiet "make book-pdf: no line cut, no link lost" builds book-pdf
quiet "an overfull line would have ended it" checker_is_strict
quiet "every page is in the PDF" every_page_is_there
quiet "every answer is shown in the PDF" answers_are_shown
quiet "make book-epub" builds book-epub
quiet "epubcheck finds nothing" epub_is_valid
plan
