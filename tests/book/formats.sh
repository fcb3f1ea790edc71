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

# Every fold of a lesson is a link to a page of the last chapter, where its
# answer stands; none is beside its question.
answers_are_at_the_end()
{
    want=$(cat chapters/*/README.md | grep -c '<details')
    pdftotext "$book/warpbook.pdf" - | awk -v want="$want" '
        /\f/ { page++ }
        match($0, /^Answer [0-9]+, page [0-9]+$/) {
            links++
            n = $4 + 0
            if (!least || n < least) least = n
        }
        END {
            if (want < 50) print "only " want " folds in the lessons"
            if (links != want)
                print links + 0 " links to answers, the lessons have " want
            if (page - least > page / 3)
                print "an answer stands on page " least " of " page
        }'
}

no_page_is_half_empty()
{
    pdftotext -bbox "$book/warpbook.pdf" - | awk -f tests/book/half-empty.awk
}

half_empty_is_noticed() # a page of which only the upper third has words
{
    pdftotext -bbox "$book/warpbook.pdf" - |
        awk '/<page / { page++ }
            !(page == 50 && match($0, /yMax="/) &&
                substr($0, RSTART + 6) + 0 > 300)' |
        awk -f tests/book/half-empty.awk | grep -q 'page 50 ends' ||
        echo "not noticed"
}

has_a_cover() # and says who made it
{
    pdftotext -l 1 "$book/warpbook.pdf" - | tr '\n' ' ' |
        grep -q 'Warpbook.*Fast CUDA kernels.*The Warpbook authors' ||
        echo "the PDF begins without its cover"
    unzip -l "$book/warpbook.epub" | grep -q 'cover.png' ||
        echo "the EPUB has no cover"
    unzip -p "$book/warpbook.epub" EPUB/content.opf >"$book/opf"
    for text in 'properties="cover-image"' '<dc:creator' 'The Warpbook authors'
    do
        grep -q "$text" "$book/opf" || echo "the EPUB does not say $text"
    done
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
quiet "answers stand at the end, not beside their questions" \
    answers_are_at_the_end
quiet "no page is half empty" no_page_is_half_empty
quiet "a half-empty page would be noticed" half_empty_is_noticed
quiet "make book-epub" builds book-epub
quiet "a cover, and who wrote it" has_a_cover
quiet "epubcheck finds nothing" epub_is_valid
plan
