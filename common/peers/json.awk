# SPDX-License-Identifier: MIT
# json.awk: the lines of the peers (pytorch.py says which) as one JSON object,
# which peers.schema.json describes; `about KEY VALUE` adds a field on top. A
# line that is none of them is an error: a peer that says something else has
# gone wrong.

function quoted(text)
{
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/[\001-\037]/, " ", text)
    return "\"" text "\""
}

function rest(from,    text, i) # the words from number `from` on
{
    for (i = from; i <= NF; i++) text = text (i > from ? " " : "") $i
    return text
}

function number(text)
{
    if (text !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) wrong("`" text "` is no number")
    return text
}

function wrong(text)
{
    print "peers: " text ": " $0 >"/dev/stderr"
    failed = 1
}

function add(list, text,    sofar)
{
    sofar = lists[list]
    lists[list] = sofar (sofar != "" ? ",\n        " : "") text
}

function close_list(list, open, shut)
{
    return quoted(list) ": " open "\n        " lists[list] "\n    " shut
}

$1 == "about" {
    about = about "    " quoted($2) ": " quoted(rest(3)) ",\n"
    next
}
$1 == "shape" {
    add("shapes", sprintf("{\"name\": %s, \"shape\": %s}", quoted($2),
        quoted(rest(3))))
    next
}
$1 == "version" { add("versions", quoted($2) ": " quoted(rest(3))); next }
$1 == "absent" {
    add("absent", sprintf("{\"name\": %s, \"why\": %s}", quoted($2),
        quoted(rest(3))))
    next
}
$1 == "row" && NF == 7 {
    add("rows", sprintf("{\"name\": %s, \"ms\": {\"median\": %s, " \
        "\"low\": %s, \"high\": %s}, \"samples\": %d, \"error\": %s}",
        quoted($2), number($3), number($4), number($5), $6, number($7)))
    next
}
{ wrong("not understood") }

END {
    printf "{\n    \"version\": 1,\n%s", about
    print "    " close_list("shapes", "[", "]") ","
    print "    " close_list("versions", "{", "}") ","
    print "    " close_list("rows", "[", "]") ","
    print "    " close_list("absent", "[", "]")
    print "}"
    exit failed
}
