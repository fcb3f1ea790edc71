# SPDX-License-Identifier: MIT
# The index that search reads, from sections.tsv: one array, an element a
# section: [page, anchor, title of the page, heading, text].

BEGIN { FS = "\t"; print "window.bookIndex = [" }

function quoted(text)
{
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/</, "\\u003c", text)
    gsub(/[\001-\037]/, " ", text)
    return "\"" text "\""
}

$3 == 1 { title = $4 }
$3 < 9 {
    print "[" quoted($1) "," quoted($2) "," quoted(title) "," quoted($4) \
        "," quoted($5) "],"
}
END { print "];" }
