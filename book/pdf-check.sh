#!/bin/sh
# SPDX-License-Identifier: MIT
# pdf-check.sh LOG: fails where XeLaTeX had no room for a line, lacked a glyph,
# or knew no target for a link, and shows its words.
set -u
if grep -n -A 2 -e '^Overfull \\hbox' -e 'Missing character' \
    -e 'undefined references' -e '^LaTeX Warning: .*undefined' \
    -e 'pdf.*destination.*not found' "$1" >&2; then
    echo "the PDF is not fit to print: $1" >&2
    exit 1
fi
