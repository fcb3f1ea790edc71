# SPDX-License-Identifier: MIT
# Claims of a lesson about what binds a kernel that nothing holds to the table
# of tests/hardware/busy-h200.csv: a resource's name beside "bound by" or
# "binds" that is no result (`<!-- result: busy/NN/KERNEL/binds %s -->`).
# Tables, code and drawings are not read.
function done(  at) {
    gsub(/<!-- result: busy\/[^ ]*\/binds [^>]*-->[^<]*<!-- \/result -->/,
        "IT", text)
    gsub(/<!--[^>]*-->/, "", text)
    while (match(text, CLAIM)) {
        print FILENAME ":" first ": \"" substr(text, RSTART, RLENGTH) \
            "\" is no result"
        text = substr(text, RSTART + RLENGTH)
    }
    text = ""
}
BEGIN {
    WHAT = "(issue slots|arithmetic|L1|L2|memory|global loads|shared loads)"
    CLAIM = "(bound|limited) by (the )?" WHAT "|" WHAT \
        ",? (that |which )?binds?[^a-z]"
}
/^ *```/ { code = !code; next }
code || /^\|/ || (/^    / && text == "") { next }
/^[ \t]*$/ { done(); next }
text == "" { first = FNR }
{ sub(/^ +/, ""); text = text " " $0 }
END { done() }
