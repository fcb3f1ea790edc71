#!/bin/sh
# SPDX-License-Identifier: MIT
# The committed pictures are what draw.c draws, lessons use each of them, and a
# picture that was changed by hand is detected, as TAP.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=${BUILD:-build}
draw=$build/book/draw

same() # FOLDER: says which pictures differ from the program's
{
    for name in $("$draw"); do
        "$draw" "$name" | cmp -s - "$1/$name.svg" ||
            echo "$1/$name.svg is not what is drawn; make pictures"
    done
}

none_left_over()
{
    for svg in book/pictures/*.svg; do
        name=${svg##*/}
        "$draw" | grep -qx "${name%.svg}" || echo "$svg: drawn by nothing"
        grep -q "pictures/$name)" chapters/*/README.md ||
            echo "$svg: no lesson shows it"
    done
}

catches_a_digit()
{
    copy=$(mktemp -d)
    cp book/pictures/*.svg "$copy"
    sed -i 's/32 sectors/33 sectors/' "$copy/04-load.svg"
    same "$copy" | grep -q '04-load.svg is not' || echo "33 sectors passed"
    rm -rf "$copy"
}

well_formed()
{
    for svg in book/pictures/*.svg; do
        grep -q '<title id' "$svg" && grep -q '<desc id' "$svg" &&
            grep -q 'prefers-color-scheme: dark' "$svg" ||
            echo "$svg: lacks a title, a description or its dark colours"
    done
}

builds()
{
    make -s BUILD="$build" "$draw" >/dev/null
}

quiet "draw.c builds" builds
quiet "every picture is what the program draws" same book/pictures
quiet "a changed digit is caught" catches_a_digit
quiet "every picture is drawn, and shown in a lesson" none_left_over
quiet "every picture has words and dark colours" well_formed
plan
