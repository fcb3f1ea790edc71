# SPDX-License-Identifier: MIT
# rows.awk EXPECTED GRADEBOOK.csv: says which rows are not as class.sh expects.
function next_field(    field)
{
    if (substr(line, 1, 1) != "\"") {
        match(line, /^[^,]*/)
        field = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 2)
        return field
    }
    match(line, /^"([^"]|"")*"/)
    field = substr(line, 2, RLENGTH - 2)
    line = substr(line, RLENGTH + 2)
    gsub(/""/, "\"", field)
    return field
}

FILENAME == ARGV[1] {
    split($0, f, "\t")
    verdict[f[1]] = f[2]
    points[f[1]] = f[3]
    expected++
    next
}
FNR == 1 { next }
{
    line = $0
    name = next_field()
    if (name ~ /^'[ ]*[=+@-]/) # so that no spreadsheet computes it
        name = substr(name, 2)
    else if (name ~ /^[ ]*[=+@-]/)
        print "not harmless: " name
    got = next_field()
    sum = next_field()
    if (!(name in verdict))
        print "nobody's row: " name
    else if (index("|" verdict[name] "|", "|" got "|") == 0)
        print name ": " got ", not " verdict[name]
    else if (points[name] != "-" && points[name] != sum)
        print name ": " sum " points, not " points[name]
    seen[name] = 1
    rows++
}
END {
    for (name in verdict)
        if (!(name in seen))
            print "no row: " name
    if (rows != expected)
        print rows " rows, not " expected
}
