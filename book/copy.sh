#!/bin/sh
# SPDX-License-Identifier: MIT
# copy.sh HTML LIST...: the files that pages point at (named in the lists, one a
# line) into HTML: pictures/NAME, and text as files/PATH.txt, which a browser
# shows where it would save a .cu.
set -u
html=$1
shift

sort -u "$@" | while read -r path; do
    case $path in
    *.svg | *.png | *.jpg) to=$html/pictures/${path##*/} ;;
    *) to=$html/files/$path.txt ;;
    esac
    cmp -s "$path" "$to" && continue
    mkdir -p "${to%/*}" && cp "$path" "$to" || exit 1
done
