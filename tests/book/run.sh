#!/bin/sh
# SPDX-License-Identifier: MIT
# The book's build, as TAP: it succeeds and is incremental, every link holds,
# and what drifts from its source stops it and is named. Works in a copy of the
# tree with one page more, which uses everything a page may use.
# What needs a browser is `make test-book`.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
unset MAKEFLAGS MFLAGS MAKELEVEL

if ! command -v pandoc >/dev/null; then
    skip "the book" "no pandoc here"
    plan
fi
if pandoc --version | sed -n '1s/pandoc //p' |
    awk -F . '{ exit $1 > 2 || ($1 == 2 && $2 >= 17) }'; then
    skip "the book" "pandoc is older than 2.17"
    plan
fi

root=$PWD
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
cp -R Makefile README.md CONTRIBUTING.md book chapters common docs solutions \
    "$copy" || exit 1
studies=tests/hardware/trials/studies
mkdir -p "$copy/$studies" || exit 1
cp tests/hardware/*.csv "$copy/tests/hardware" || exit 1
cp $studies/*.tsv "$copy/$studies" || exit 1
cd "$copy" || exit 1
unset BUILD
html=build/book/html
page=book/appendix/99-fixture.md
mkdir -p book/appendix
cp "$root/tests/book/fixture.md" $page

# Results of a GPU of its own, so that a new measurement changes no test.
gpu=book/results/test-gpu
cp -R book/results/nvidia-h200 $gpu
sed -i '0,/"median": [0-9.]*/s//"median": 0.27067199/' $gpu/solution-05.json
sh book/lua.sh facts >facts.tsv
sh book/lua.sh snippets write facts.tsv $page >/dev/null

# What a build says besides its progress. The page that the tests change is made
# first: what stops it need not wait for forty others, and the rest is made
# where it does not.
build()
{
    make -s $html/fixture.html book </dev/null >out 2>&1
    code=$?
    grep -v -e '^build ' -e '^open ' out
    [ $code -eq 0 ] || echo "make book: exit code $code"
}

built()
{
    [ -f $html/index.html ] || echo "no $html/index.html"
    sh book/pages.sh | while IFS="$(printf '\t')" read -r _ source name; do
        [ -s "$html/$name.html" ] || echo "no page of $source"
    done
}

rebuilt() # what a second build makes
{
    make -s book 2>&1 </dev/null | grep -v '^open '
}

# A chapter's page marks that chapter on the road, and no page is heavy.
shows_its_place()
{
    for dir in chapters/[0-9][0-9]-*/; do
        name=$(basename "$dir")
        file=$html/$name.html
        grep -o 'You are here: chapter [0-9]*' "$file" |
            grep -qx "You are here: chapter ${name%%-*}" ||
            echo "$name does not say where it is"
        [ "$(grep -o '<rect class="now" x="[^"]*" y="2"' "$file" |
            wc -l)" -eq 1 ] || echo "$name is not marked on the road once"
    done
    find $html -name '*.html' -size +300k
}

# Links of the HTML, seen without the filter that wrote them.
dead_links()
{
    (
        cd $html || exit
        for file in *.html; do
            grep -oE '(^| )id="[^"]*"' "$file" |
                sed "s|^ *id=\"\(.*\)\"|id $file#\1|"
            echo "id $file"
            grep -oE '(^| )(href|src)="[^"]*"' "$file" |
                sed -E "s/^ *(href|src)=\"(.*)\"/link $file \2/"
        done
        find . -type f | sed 's|^\./|id |'
    ) | awk '
        $1 == "id" { there[$2] = 1; next }
        $3 ~ /^(https?:|mailto:|data:)/ { next }
        { link[++n] = ($3 ~ /^#/ ? $2 : "") $3; from[n] = $2 }
        END {
            for (i = 1; i <= n; i++)
                if (!(link[i] in there)) print from[i] ": dead: " link[i]
            if (n < 50) print "only " n + 0 " links were seen"
        }'
}

outside_requests()
{
    grep -nE '(src|<link[^>]*href)="(https?:)?//|@import|url\(' \
        $html/*.html $html/*.css
}

holds() # FILE TEXT...
{
    file=$1
    shift
    for text; do
        grep -qF -- "$text" "$file" || echo "$file has no: $text"
    done
}

# Change FILE by a sed SCRIPT: make book must fail and say TEXT; then put it
# back. A script that changes nothing is itself a failure.
stops() # FILE SCRIPT TEXT
{
    cp "$1" keep
    sed -i "$2" "$1"
    cmp -s keep "$1" && echo "the change changed nothing: $2"
    build >said
    grep -q 'exit code' said || echo "make book went through"
    grep -qF -- "$3" said || { echo "not named: $3; said:"; cat said; }
    cp keep "$1"
}

# The same; what was built is put back, too, with all times: the next one finds
# a whole book, and make only what its own change asks for.
must_stop() # FILE SCRIPT TEXT
{
    touch -r "$1" time
    cp -a build whole
    stops "$@"
    touch -r time "$1"
    rm -rf build
    mv whole build
}

# make snippets puts back what drifted, and changes nothing else.
repairs()
{
    cp $page keep
    sed -i 's/int h = i % s.H;/int h = i % s.K;/
        s|>0.271<|>0.371<|' $page
    cmp -s keep $page && echo "the change changed nothing"
    make -s snippets >said 2>&1 </dev/null || cat said
    diff keep $page
}

result=test-gpu/05/forward/time_ms
quiet "make book builds without a word" build
quiet "every page is there" built
quiet "every chapter's page shows where it stands" shows_its_place
quiet "a second make book builds nothing" rebuilt
quiet "no dead link or anchor in any page" dead_links
quiet "no page asks for anything from elsewhere" outside_requests
quiet "search knows the sections" holds $html/search.js \
    '["fixture","a-section","A page that uses everything","A section"' \
    "bank conflict"
quiet "a page gets what it uses" holds $html/fixture.html \
    'href="05-dwconv-coalesced.html#why"' '<math' 'class="note-mark"' \
    "data-result=\"$result\"" 'href="files/docs/trust.md.txt"' \
    '<details>' 'class="dt"' 'id="a-section"'

quiet "a digit in a block of code stops it" must_stop $page \
    's/i % s.H; /i % s.1; /' "$page:17: "
quiet "a digit in a result stops it" must_stop $page \
    's/>0.271</>0.272</' "$page:10: "
quiet "a digit in a results file stops it" must_stop \
    $gpu/solution-05.json \
    's/0\.27067199/0.28067199/' "$page:10: "
quiet "a solution's changed line stops it" must_stop \
    solutions/04-dwconv-naive/forward.cu \
    's/int h = i % s.H;/int h = i % s.L;/' "$page:17: "
quiet "an unknown result stops it" must_stop $page \
    's/forward.time_ms -->/forward\/time_mz -->/' "$page:10: no result"
quiet "a result that does not end stops it" must_stop $page \
    's/<!-- .result -->//' "$page:10: "
quiet "a digit in a table stops it" must_stop $page \
    's/| warp-tiled | 07 | 2.70/| warp-tiled | 07 | 2.80/' "study-steps says"
quiet "a row too many in a table stops it" must_stop $page \
    's/^| warp-tiled .*/&\n| mine | 99 |/' "study-steps says"
quiet "a table that nobody makes stops it" must_stop $page \
    's/table: study-steps/table: study-stops/' "no table study-stops"
quiet "a table without an end stops it" must_stop $page \
    '/^<!-- .table/d' "ends this block"
quiet "a digit in a figure's words stops it" must_stop $page \
    's/the same bytes/the other bytes/' "dwconv-ladder says"
quiet "a result that a plot shows stops it" must_stop \
    book/results/nvidia-h200/roofs.json '/copy_bytes/s/: ./&1/' \
    "dwconv-roofline.svg is not what"
quiet "a dead link stops it" must_stop $page \
    's/05-dwconv-coalesced.README/05-dwconv-coalesce\/README/' \
    "$page: dead link"
quiet "a dead anchor stops it" must_stop $page \
    's/README.md#why/README.md#who/' "$page: dead link"
quiet "a heading that a link names may not go" must_stop \
    chapters/05-dwconv-coalesced/README.md 's/^## Why$/## Reasons/' \
    "#why"
quiet "a missing picture stops it" must_stop $page \
    's/^A last line/![Lanes](none.svg)/' "$page: dead link"
quiet "a picture from elsewhere stops it" must_stop $page \
    's/^A last line/![Lanes](https:\/\/example.org\/a.svg)/' "from elsewhere"
quiet "a picture without words stops it" must_stop $page \
    's/^A last line/![](none.svg)/' "without words"
quiet "a results file that is no JSON stops it" must_stop \
    book/results/nvidia-h200/roofs.json 's/:/;/' "cannot read"
quiet "a page without a title stops it" stops $page \
    's/^# .*//' "no heading of level 1"
quiet "make snippets puts back what drifted" repairs
quiet "and the book builds again" build
plan
