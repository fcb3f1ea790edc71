# SPDX-License-Identifier: MIT
# Fills in or checks what a page takes from elsewhere (markers: see
# CONTRIBUTING.md, "Write a page of the book").
#
#   awk -f snippets.awk -v facts=FILE -v mode=write PAGE   the page, filled in
#   awk -f snippets.awk -v facts=FILE -v mode=check PAGE   silence, or what
#                                       drifted: PAGE:LINE: what to do
#
# Fails where a marker cannot be resolved, whatever the mode. Paths of code are
# relative to the working folder, the workbook's root.

BEGIN {
    NUMBER = "^-?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?$"
    while ((getline row < facts) > 0) {
        tab = index(row, "\t")
        fact[substr(row, 1, tab - 1)] = substr(row, tab + 1)
        known++
    }
    if (!known) wrong("no facts in " facts)
}

function wrong(text)
{
    print FILENAME ":" FNR ": " text >"/dev/stderr"
    failed = 1
}

function put(line) { if (mode == "write") print line }

function drifted(has, wants, where)
{
    if (mode != "check" || has == wants) return
    wrong("`" has "`, but " where " says `" wants "`: make snippets")
}

# Results --------------------------------------------------------------------

function commas(number,    text)
{
    for (text = ""; length(number) > 3;
         number = substr(number, 1, length(number) - 3))
        text = "," substr(number, length(number) - 2) text
    return number text
}

function format(value, how)
{
    if (how == "" && value !~ NUMBER) return value
    if (how == "" && value + 0 == int(value)) return sprintf("%.0f", value)
    if (how == "") return sprintf("%.3g", value)
    if (how == ",") return commas(sprintf("%.0f", value))
    if (how ~ /^%\.?[0-9]*[dfge]$/) return sprintf(how, value)
    wrong("`" how "` is no format: use , or one like %.2f")
    return value
}

function results(line,    done, marker, word, rest, end, value)
{
    while (match(line, /<!-- result:[^>]*-->/)) {
        marker = substr(line, RSTART, RLENGTH)
        done = done substr(line, 1, RSTART + RLENGTH - 1)
        rest = substr(line, RSTART + RLENGTH)
        end = index(rest, "<!-- /result -->")
        split(marker, word, " ")
        if (!end) wrong("`" word[3] "` has no <!-- /result --> on its line")
        if (!(word[3] in fact))
            wrong("no result `" word[3] "`; sh book/facts.sh lists all")
        if (!end || !(word[3] in fact)) return done rest
        value = format(fact[word[3]], word[4] == "-->" ? "" : word[4])
        drifted(substr(rest, 1, end - 1), value, word[3])
        done = done value
        line = substr(rest, end)
    }
    return done line
}

# Code -----------------------------------------------------------------------

# The lines of the file into source[], their number into lines.
function read_source(path, start, end,    line, n, on, status)
{
    lines = 0
    while ((status = (getline line < path)) > 0) {
        n++
        if (!on && line ~ start) { on = 1; first = n }
        else if (on == 1 && line ~ end) on = 2
        if (on) source[++lines] = line
        if (on == 2) break
    }
    close(path)
    if (status < 0) wrong("no file " path)
    else if (!on) wrong("no line of " path " matches /" start "/")
    else if (on != 2) wrong("no line of " path " after that matches /" end "/")
    return on == 2
}

function code_marker(line,    path, cut)
{
    sub(/^<!-- code: */, "", line)
    if (!sub(/\/ *-->$/, "", line)) { wrong("marker of code without end"); return }
    path = line
    sub(/ .*/, "", path)
    sub(/^[^ ]* *\//, "", line)
    cut = index(line, "/ /")
    if (!cut) { wrong("a marker of code needs /START/ /END/"); return }
    marked = read_source(path, substr(line, 1, cut - 1), substr(line, cut + 3))
    from = path
    at_line = 0
}

# A fence that follows a marker; its lines are replaced by the source's.
function open_fence()
{
    put($0)
    fence = 1
    if (!marked) return
    at_line = 0
    if (mode == "write")
        for (at_line = 1; at_line <= lines; at_line++) print source[at_line]
}

function fence_line()
{
    if (!marked) { put($0); return }
    if (mode == "write" || failed_block) return
    at_line++
    if (at_line > lines || $0 != source[at_line]) {
        failed_block = 1
        drifted($0, at_line > lines ? "" : source[at_line],
            from ":" first + at_line - 1)
        if (at_line > lines && $0 == "")
            wrong("more lines than " from " has: make snippets")
    }
}

function close_fence()
{
    if (marked && mode == "check" && !failed_block && at_line < lines)
        wrong("the block ends before `" source[at_line + 1] "` of " from \
            ":" first + at_line ": make snippets")
    put($0)
    fence = marked = failed_block = 0
}

# Tables and figures ---------------------------------------------------------

# What stands below the marker, to the next empty line, is what a program
# prints; @/ in it is the workbook's root.
function generated_marker(line,    word, command, row, up, i)
{
    split(line, word, " ")
    up = FILENAME
    gsub(/[^\/]+\//, "../", up)
    sub(/[^\/]*$/, "", up)
    command = word[2] == "table:" \
        ? "awk -v table=" word[3] " -f book/tables.awk " facts \
        : "sh book/plots/plot.sh words " word[3] " " facts
    from = word[3]
    for (lines = 0; (command | getline row) > 0;) {
        gsub(/@\//, up, row)
        source[++lines] = row
    }
    if (word[3] !~ /^[a-z0-9-]+$/ || word[4] != "-->" || close(command) != 0)
        wrong("no " word[2] " " word[3])
    at_line = 0
    block = 1
}

function block_line()
{
    at_line++
    if (mode != "check" || failed_block) return
    if ($0 == source[at_line]) return
    failed_block = 1
    drifted($0, source[at_line], from)
}

function close_block(    i)
{
    if (mode == "write")
        for (i = 1; i <= lines; i++) print source[i]
    else if (!failed_block && at_line < lines)
        wrong("the block ends before `" source[at_line + 1] "` of " from \
            ": make snippets")
    block = failed_block = 0
}

block && /^$/ { close_block() }
block { block_line(); next }
!fence && /^<!-- (table|figure): / { put($0); generated_marker($0); next }
fence && /^```/ { close_fence(); next }
fence { fence_line(); next }
/^```/ { open_fence(); next }
marked { wrong("the marker of code above has no block below it"); marked = 0 }
/^<!-- code:/ { put($0); code_marker($0); next }
/<!-- *code:/ { wrong("a marker of code stands on a line of its own") }
{ put(results($0)) }

END {
    if (block) close_block()
    if (fence) wrong("a block of code is not closed")
    exit failed
}
