#!/bin/sh
# SPDX-License-Identifier: MIT
# lua.sh TOOL [ARG]...: runs book/lua/TOOL.lua, from the workbook's root, by the
# Lua inside pandoc, so that the book needs no other interpreter.
#
#   facts [RESULTS]                every number that a page may quote
#   derive LINES                   those lines, and what follows from them
#   snippets check|write FACTS PAGE...
#   tables NAME FACTS              a table of results as Markdown
#   plots list FACTS | draw NAME FACTS | words NAME FACTS | check FACTS FOLDER
#   provenance FACTS               where and when all of it was measured
#   here FACTS                     "you are here" of each chapter, as HTML
#   search SECTIONS                the index that the book's search reads
#
# FACTS is a file that `facts` wrote. pandoc 2.17 has no `pandoc lua`: a filter
# on an empty document does as well.
tool=$1
shift
n=$#
for arg; do set -- "$@" -M "arg=$arg"; done
shift "$n"
exec pandoc -f markdown -t plain -o /dev/null \
    -L "$(dirname "$0")/lua/main.lua" -M "tool=$tool" "$@" </dev/null
