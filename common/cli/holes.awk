# SPDX-License-Identifier: MIT
# holes.awk: the one reader of `//> todo NAME ...` and `//< todo` for scripts;
# checker/check/conf/holes.c is the checker's, and tests/facts holds the two to
# the same holes. `mode` says what is printed:
#
#   list               NAME, and the lines of the two marks, of each hole
#   inside             NAME and a tab before each line within a hole
#   outside            the lines outside the holes, marks among them
#   splice HOLES FILE  FILE with what HOLES has in its holes; `names` ("a b")
#                      names which, all of them by default. Exit code 1: FILE
#                      has no hole of a name.

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
