# SPDX-License-Identifier: MIT
# conf.awk: prints chapter.conf files as lines `NN SECTION KEY VALUE`, separated
# by tabs, like `check --facts chapters`. Commands such as `make list` must work
# before anything is built, so all scripts read chapter.conf through this file;
# tests/facts verifies that both readers agree.
#
# The rules are inih's: an indented line is another value of the key above it,
# and is printed as a line of its own; ` ;` begins a comment.

function trim(text)
{
    sub(/^[ \t]+/, "", text)
    sub(/[ \t\r]+$/, "", text)
    return text
}

FNR == 1 {
    number = FILENAME
    sub(/\/[^\/]*$/, "", number)
    sub(/.*\//, "", number)
    number = substr(number, 1, 2)
    section = key = ""
}
{ line = trim($0) }
line == "" || line ~ /^[;#]/ { next }
line ~ /^\[/ {
    section = substr(line, 2, index(line, "]") - 2)
    key = ""
    next
}
{ if ((cut = match(line, /[ \t];/)) > 0) line = trim(substr(line, 1, cut)) }
/^[ \t]/ && key != "" {
    print number "\t" section "\t" key "\t" line
    next
}
(cut = match(line, /[=:]/)) > 0 {
    key = trim(substr(line, 1, cut - 1))
    print number "\t" section "\t" key "\t" trim(substr(line, cut + 1))
}
