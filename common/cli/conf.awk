# SPDX-License-Identifier: MIT
# conf.awk: chapters' chapter.conf as lines `NN SECTION KEY VALUE`, separated by
# tabs: what `check --facts chapters` prints. Commands such as `make list` work
# before anything is built, so scripts read chapter.conf here and nowhere else;
# tests/facts holds the two readers to the same lines.
#
# inih's rules: a line that is indented continues the value above it, as a line
# of its own with the same key; ` ;` begins a comment.

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
