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
drawn=$(mktemp -d) # once: chapter 23's trees are fitted for some seconds
trap 'rm -rf "$drawn"' EXIT

draws()
{
    for name in $("$draw"); do
        "$draw" "$name" >"$drawn/$name.svg" || echo "$name: exit code $?"
    done
    [ -s "$drawn/04-load.svg" ] || echo "nothing was drawn"
}

same() # FOLDER: says which pictures differ from the program's
{
    for name in $("$draw"); do
        cmp -s "$drawn/$name.svg" "$1/$name.svg" ||
            echo "$1/$name.svg is not what is drawn; make pictures"
    done
}

none_left_over()
{
    for svg in book/pictures/*.svg; do
        name=${svg##*/}
        "$draw" | grep -qx "${name%.svg}" || echo "$svg: drawn by nothing"
        case $name in
        cover.svg) continue ;; # the PDF's and the EPUB's
        *-narrow.svg)
            [ -f "book/pictures/${name%-narrow.svg}.svg" ] ||
                echo "$svg: there is no wide one"
            continue
            ;;
        esac
        grep -q "pictures/$name)" chapters/*/README.md book/*.md book/*/*.md ||
            echo "$svg: no page shows it"
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
            grep -q -e 'prefers-color-scheme: dark' -e 'class="ground"' \
                "$svg" ||
            echo "$svg: lacks a title, a description or its dark colours"
    done
}

# Whoever asks for reduced motion must see a still picture: nothing may move
# unless the page has made the picture its target.
moves_when_told()
{
    for svg in book/pictures/*.svg; do
        grep 'animation:' "$svg" | grep -v 'svg:target' && echo "in $svg"
        grep -q -e '<animate' -e '<set ' "$svg" && echo "$svg moves by itself"
    done
    grep -q 'svg:target.*animation:' book/pictures/copies.svg ||
        echo "no picture moves at all"
}

# Letters that are drawn must still be read at 360 pixels: what is wider has a
# narrow drawing beside it.
fits_a_telephone()
{
    for svg in book/pictures/*.svg; do
        wide=$(sed -n '1s/.*viewBox="0 [0-9]* \([0-9]*\) .*/\1/p' "$svg")
        case $svg in */cover.svg | */banner.svg | *-narrow.svg) continue ;; esac
        [ "$wide" -le 400 ] || [ -f "${svg%.svg}-narrow.svg" ] ||
            echo "$svg: $wide units wide, and no narrow drawing"
    done
}

builds()
{
    make -s BUILD="$build" "$draw" >/dev/null
}

quiet "draw.c builds" builds
quiet "and draws" draws
quiet "every picture is what the program draws" same book/pictures
quiet "a changed digit is caught" catches_a_digit
quiet "a picture moves only when it is told to" moves_when_told
quiet "every picture can be read on a telephone" fits_a_telephone
quiet "every picture is drawn, and shown on a page" none_left_over
quiet "every picture has words and dark colours" well_formed
plan
