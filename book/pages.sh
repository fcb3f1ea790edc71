#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh: the book's pages in their order, `PART<TAB>SOURCE<TAB>NAME` per line;
# NAME is the page's file without its ending. The folders are the source of the
# order, so a new chapter needs no line anywhere.
set -u

part() # PART FILE...
{
    part=$1
    shift
    for file; do
        [ -f "$file" ] || continue
        name=${file##*/}
        case $part in
        chapter) name=${file%/README.md} && name=${name##*/} ;;
        front | appendix) name=${name%.md} && name=${name#[0-9][0-9]-} ;;
        esac
        printf '%s\t%s\t%s\n' "$part" "$file" "${name%.md}"
    done
}

part index book/index.md
part front book/front/*.md
part chapter chapters/*/README.md
part appendix book/appendix/*.md
