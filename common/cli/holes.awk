# SPDX-License-Identifier: MIT
# holes.awk: reads `//> todo NAME ...` and `//< todo` for all scripts. The
# checker has its own reader, checker/check/conf/holes.c; tests/facts verifies
# that both find the same holes. `mode` says what to print:
#
#   list               of each hole: NAME and the lines of its two marks
#   inside             the lines within holes, each after NAME and a tab
#   outside            the lines outside holes, and the marks
#   splice HOLES FILE  FILE, with its holes filled from HOLES; `names` ("a b"):
#                      only these holes. Exit code 1: FILE lacks one of them.

BEGIN { chosen = split(names, list_of, " ") }

function wanted(name,    i)
{
    for (i = 1; i <= chosen; i++) if (list_of[i] == name) return 1
    return chosen == 0
}

{ opens = /^[ \t]*\/\/> todo/; closes = /^[ \t]*\/\/< todo/ }
FNR == 1 { name = ""; skip = 0 }
closes && mode == "list" && name != "" {
    print FILENAME "\t" name "\t" first "\t" FNR
}
closes { name = ""; skip = 0 }

mode == "inside" && name != "" { print name "\t" $0 }
mode == "outside" && name == "" { print }
mode == "splice" && FNR == NR && name in kept { kept[name] = kept[name] $0 "\n" }
mode == "splice" && FNR != NR && !skip { print }

opens { name = $3; first = FNR }
opens && mode == "splice" && wanted(name) {
    if (FNR == NR) kept[name] = ""
    else if (name in kept) {
        printf "%s", kept[name]
        skip = filled[name] = 1
    }
}
END {
    for (name in kept) if (!(name in filled)) exit 1
}
