# SPDX-License-Identifier: MIT
# finish.awk: gnuplot's SVG as a picture of the book: a title and a description
# for who cannot see it, colours that follow a dark theme, the same heading as
# the other pictures. Variables: title, text, words (the description), stamp;
# bare: a page says the title already.
#
# The hard idea: gnuplot writes colours as attributes, and any rule of a style
# sheet comes before an attribute. So the dark theme is one rule a colour. A
# colour without one would vanish at night: it is an error.

BEGIN {
    twin["#1c2733"] = "#e6edf3" # ink
    twin["#5d6b7a"] = "#9fb0c0" # soft
    twin["#d5dae0"] = "#2a343e" # line
    twin["#0b6257"] = "#6fcdb9" # forward
    twin["#a3195b"] = "#ff8fb8" # input gradient
    twin["#6b6200"] = "#dccf5f" # weight gradient
    twin["#6fc0b1"] = "#1f6f62" # shades of a map's cells, the best first
    twin["#9bd2c7"] = "#1b584e"
    twin["#c4e5de"] = "#1a463f"
    twin["#e3f1ee"] = "#1a3531"
    twin["#f3f6f4"] = "#1b2625"
}

function escape(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

# gnuplot's rgb( 11,  98,  87) as #0b6257.
function hex(line,    done, part, i, name)
{
    while (match(line, /rgb\([ 0-9,]*\)/)) {
        split(substr(line, RSTART + 4, RLENGTH - 5), part, ",")
        name = "#"
        for (i = 1; i <= 3; i++) name = name sprintf("%02x", part[i])
        if (!(name in twin)) {
            print "finish: no dark colour for " name >"/dev/stderr"
            failed = 1
        }
        done = done substr(line, 1, RSTART - 1) name
        line = substr(line, RSTART + RLENGTH)
    }
    return done line
}

function head()
{
    printf "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n",
        escape(title), escape(words)
    printf "<!-- stamp %s -->\n", stamp
    print "<style>\n.head { font: bold 15px sans-serif }"
    print ".text { font: 13px sans-serif }\n.head, .text { fill: #1c2733 }"
    print ".paper { fill: #fdfcf9 }\n@media (prefers-color-scheme: dark) {"
    print ".head, .text { fill: #e6edf3 }\n.paper { fill: #16191c }"
    for (name in twin)
        printf "[stroke=\"%s\"] { stroke: %s }\n[fill=\"%s\"] { fill: %s }\n" \
            "[color=\"%s\"] { color: %s }\n", name, twin[name], name,
            twin[name], name, twin[name]
    print "}\n</style>"
    print "<rect class=\"paper\" width=\"" width "\" height=\"" height \
        "\" rx=\"8\"/>"
    if (!bare)
        printf "<text class=\"head\" x=\"20\" y=\"28\">%s</text>\n",
            escape(title)
    lines(text, bare ? 28 : 48, width < 500 ? 44 : 88)
}

# A text in lines of at most `most` characters.
function lines(text, y, most,    word, n, i, line)
{
    n = split(text, word, " ")
    for (i = 1; i <= n; i++) {
        if (length(line " " word[i]) > most) {
            put(line, y)
            y += 18
            line = ""
        }
        line = line (line ? " " : "") word[i]
    }
    put(line, y)
}

function put(line, y)
{
    printf "<text class=\"text\" x=\"%d\" y=\"%d\">%s</text>\n",
        width < 500 ? 12 : 20, y, escape(line)
}

/<svg/ { opening = 1 }
opening && match($0, /width="[0-9]+"/) {
    width = substr($0, RSTART + 7, RLENGTH - 8)
}
opening && match($0, /height="[0-9]+"/) {
    height = substr($0, RSTART + 8, RLENGTH - 9)
}
opening && />/ {
    sub(/>/, " role=\"img\" aria-labelledby=\"t d\">")
    print
    head()
    opening = 0
    next
}
{ gsub(/<(title|desc)>[^<]*<\/(title|desc)>/, "") }
/^[ \t]*$/ { next }
/<rect x="0" y="0"/ { next } # gnuplot's own paper
/^<g fill="none"/ { group = $0; next }
group != "" && /^<\/g>/ { group = ""; next } # nothing in it
group != "" { print group; group = "" }
{ print hex($0) }
END { exit failed }
