# SPDX-License-Identifier: MIT
# Mutants of a C file, one change each.
#
#   awk -f mutate.awk FILE                   LINE TAB COLUMN TAB OLD TAB NEW
#   awk -v line=L -v column=C -v old=OLD -v new=NEW -f mutate.awk FILE
#                                            the file with that change
#
# Changed are comparisons, && and ||, + and -, & and |, ! (dropped), true and
# false, ++ and --, and whole statements of one line (dropped). Comments,
# strings, declarations and directives stay as they are; so does the idiom
# `bits &= bits - 1`, whose mutants all run for ever.

BEGIN {
    pairs = 0
    add(" <= ", " < "); add(" < ", " <= ")
    add(" >= ", " > "); add(" > ", " >= ")
    add(" == ", " != "); add(" != ", " == ")
    add(" && ", " || "); add(" || ", " && ")
    add(" + ", " - "); add(" - ", " + ")
    add(" & ", " | "); add(" | ", " & ")
    add(" += ", " -= "); add(" -= ", " += ")
    add(" |= ", " &= "); add(" &= ", " |= ")
    add("++", "--"); add("--", "++")
}

function add(from, to)
{
    pairs++
    before[pairs] = from
    after[pairs] = to
}

# The line without what is no code: blanks in its place.
function bare(text,    out, k, c, two)
{
    out = ""
    for (k = 1; k <= length(text); k++) {
        c = substr(text, k, 1)
        two = substr(text, k, 2)
        if (comment) {
            if (two == "*/") { comment = 0; out = out " "; k++ }
            c = " "
        } else if (quoted != "") {
            if (c == "\\") { out = out " "; k++ }
            else if (c == quoted) quoted = ""
            c = " "
        } else if (two == "/*") {
            comment = 1
            c = " "
        } else if (two == "//") {
            break
        } else if (c == "\"" || c == "'") {
            quoted = c
            c = " "
        }
        out = out c
    }
    return out
}

function say(at, from, to)
{
    print FNR "\t" at "\t" from "\t" to
}

function find_all(code, from, to,    at, k)
{
    for (at = 1; (k = index(substr(code, at), from)) > 0;
         at += k + length(from) - 2)
        say(at + k - 1, from, to)
}

function find_words(code, from, to,    at)
{
    at = 1
    while (match(substr(code, at), "(^|[^A-Za-z_0-9])" from \
        "([^A-Za-z_0-9]|$)")) {
        at += RSTART - 1
        if (substr(code, at, length(from)) != from)
            at++
        say(at, from, to)
        at += length(from)
    }
}

function find_not(code,    at)
{
    at = 1
    while (match(substr(code, at), /![A-Za-z_(*]/)) {
        at += RSTART - 1
        say(at, "!", "")
        at++
    }
}

# A statement of one line that begins a line and is no declaration: a call, an
# assignment, continue or break. One behind `if (...)` may go, too.
function find_statement(code,    start)
{
    if (code !~ /;[ ]*$/ || code ~ /^[ ]*(return|goto|else|for|while|do|case)/)
        return
    if (last ~ /[^;{}):]$/ && last !~ /(else|do)$/)
        return # goes on from the line before
    if (code !~ /^[ ]+(\(?\*)?[a-z_0-9]+(->|\.|\[|\(|\+\+|--| [-+|&^*]?= |;)/ &&
        code !~ /^[ ]+(\+\+|--|\*)[a-z(]/)
        return
    match(code, /[^ ]/)
    start = RSTART
    sub(/ *$/, "", code)
    code = substr($0, start, length(code) - start + 1) # with its strings
    if (code !~ /\\/) # which awk -v would read
        say(start, code, ";")
}

line == "" {
    code = bare($0)
    sub(/[ ]+$/, "", code)
    if (code ~ /^#/ || code ~ /\\$/ || code ~ /^[^ ]/) {
        last = code
        next
    }
    sub(/[a-z]+ &= [a-z]+ - 1\)/, "             )", code)
    for (k = 1; k <= pairs; k++)
        find_all(code, before[k], after[k])
    find_words(code, "true", "false")
    find_words(code, "false", "true")
    find_not(code)
    find_statement(code)
    if (code != "")
        last = code
    next
}

FNR == line {
    if (substr($0, column, length(old)) != old) {
        print "line " line " has no " old " at " column >"/dev/stderr"
        exit 1
    }
    $0 = substr($0, 1, column - 1) new substr($0, column + length(old))
}
line != "" { print }
