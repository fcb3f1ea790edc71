# SPDX-License-Identifier: MIT
# judge.awk: what a report says against a file's marks; prints what differs.
#
#   awk -v now="seed 0, workers 0" -f judge.awk NAME.cu REPORT
#   awk -v mended=1 -f judge.awk NAME.cu REPORT
#
# Findings and marks are both KIND:LINE; "-" is the kind of a race's other
# access. Notes, which are no findings, are those of equal writes and of warps
# that wait at different barriers.

function say(text) { print now ": " text }

function mark(set, word,    at, text)
{
    text = $0
    if (!sub(".*// " word ": ", "", text))
        return ""
    kind = text
    sub(/ .*/, "", kind)
    at = FNR
    if (sub(/^.* in /, "", text))
        at = text
    set[kind ":" at]
    return at
}

FNR == NR {
    if ((at = mark(finds, "finds")) != "")
        lines[at]
    if (/\/\/ finds: / || /\/\/ against/)
        lines[FNR]
    if ((at = mark(notes, "notes")) != "")
        noted_lines[at]
    next
}

{ report[++n] = $0 }
/^=+ [a-z_]+ in .*, (block|stream) / { asked = 1; note = $2 ~ /^(equal_writes|parted_warps)$/ }
/^=+ [a-z_]+ in .*, block / { kind = $2; open = 1; next }
!asked { next }
/ in .*, stream / {
    kind = $2
    text = $0
    sub(/^.* in /, "", text)
    sub(/,.*/, "", text)
    keep(kind ":" text)
}
(open && /^=+     at /) || /^=+     against / {
    if (!match($0, /\.cu:[0-9]+/))
        next
    keep((open ? kind : "-") ":" substr($0, RSTART + 4, RLENGTH - 4))
    open = 0
}

function keep(found)
{
    if (!note)
        said[found]
    else if (found !~ /^-/)
        noted[found]
}

function kind_of(found) { return substr(found, 1, index(found, ":") - 1) }
function line_of(found) { return substr(found, index(found, ":") + 1) }

# A race may be reported at either access; and a word that is read too early may
# be reported as uninitialised.
function judge_bugs(    one)
{
    for (one in said) {
        said_kinds[kind_of(one)]
        said_lines[line_of(one)]
    }
    for (one in finds) {
        kinds[kind_of(one)]
        if (kind_of(one) == "race")
            kinds["uninitialised"]
        if (!(kind_of(one) in said_kinds) || !(line_of(one) in said_lines))
            say("not found: " kind_of(one) " in line " line_of(one))
    }
    for (one in said) {
        if (!(line_of(one) in lines))
            say(kind_of(one) " in line " line_of(one) "?")
        if (kind_of(one) != "-" && !(kind_of(one) in kinds))
            say(kind_of(one) "?")
    }
    for (one in noted)
        if (!(line_of(one) in lines) && !(line_of(one) in noted_lines))
            say(kind_of(one) " in line " line_of(one) "?")
}

function judge_mended(    one, i, whole)
{
    for (one in said)
        whole = 1
    for (i = 1; i <= n; i++)
        if (whole || report[i] !~ /^=========/)
            print report[i]
    for (one in notes)
        if (!(one in noted)) print "no note: " one
    for (one in noted)
        if (!(one in notes)) print "a note that no mark asks for: " one
}

END {
    if (mended)
        judge_mended()
    else
        judge_bugs()
}
