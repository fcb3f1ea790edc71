#!/bin/sh
# SPDX-License-Identifier: MIT
# What pages of the book run, as TAP, without engine and browser: the committed
# kernels are those of the sources, lessons show what there is, and scripts are
# sound. The rest is `make test-page`.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh

stale()
{
    sh book/kernels/make.sh sums | while read -r chapter sum; do
        grep -qx "// Made by .make page-kernels. from $sum" \
            "book/kernels/$chapter.js" ||
            echo "book/kernels/$chapter.js is older than its sources:" \
                "run make page-kernels (it needs CUDA 13 or later)"
    done
}

# An edit of a source must be noticed.
unnoticed()
{
    copy=$(mktemp -d)
    cp -R book chapters solutions common "$copy"
    echo "int x;" >>"$copy/solutions/05-dwconv-coalesced/forward.cu"
    now=$(cd "$copy" && sh book/kernels/make.sh sums | grep '^05 ')
    rm -rf "$copy"
    [ "$now" != "$(sh book/kernels/make.sh sums | grep '^05 ')" ] ||
        echo "a line more in 05's forward.cu changes no sum"
}

unshown() # chapters that have kernels, and no place for them
{
    for file in book/kernels/[0-9]*.js; do
        chapter=$(basename "$file" .js)
        grep -q '^<!-- simulator: kernels -->$' \
            chapters/"$chapter"-*/README.md ||
            echo "chapter $chapter does not show book/kernels/$chapter.js"
    done
}

# JSON by hand: a brace or a quote within a string of C. text.c needs none.
json_by_hand() # FOLDER...
{
    find "$@" -name '*.[ch]' \
        -exec grep -n '\\"\|"[^"]*[}{][^"]*"' {} + |
        grep -v ':[0-9]*:\( \*\|/\*\)'
}

json_is_seen()
{
    false=$(mktemp -d)
    echo 'add("\"done\":%u", n);' >"$false/a.c"
    echo 'add("{");' >"$false/b.c"
    printf '%s\n' "put('{'); /* no string */" >"$false/c.c"
    [ "$(json_by_hand "$false" | grep -o '[abc]\.c' | sort | tr '\n' ' ')" = \
        "a.c b.c " ] || echo "seen: $(json_by_hand "$false")"
    rm -rf "$false"
}

unsound()
{
    for script in book/theme/*.js common/simgpu/page/*.js tests/page/*.js; do
        node --check "$script" 2>&1 | head -n 3
    done
}

quiet "the kernels of pages are those of the sources" stale
quiet "an edited source is noticed" unnoticed
quiet "every chapter with kernels shows them" unshown
quiet "no JSON is written by hand" \
    json_by_hand common/simgpu/page book/kernels tests/page
quiet "it would be seen" json_is_seen
if command -v node >/dev/null; then
    quiet "scripts can be read" unsound
else
    skip "scripts can be read" "no node here"
fi
plan
