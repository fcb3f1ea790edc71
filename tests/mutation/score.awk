# SPDX-License-Identifier: MIT
# The score of each file, and the survivors, from lines `noticed|survived FILE
# LINE CHANGE TEXT BY`, tab-separated. The first file explains survivors:
# `FILE :: TEXT :: CHANGE :: why nobody can notice`, FILE without its folder.

function base(path)
{
    sub(/.*\//, "", path)
    return path
}

function trim(text)
{
    gsub(/[ ]+/, " ", text)
    gsub(/^[ ]|[ ]$/, "", text)
    return text
}

FILENAME == ARGV[1] {
    if (/^#/ || $0 == "")
        next
    n = split($0, part, / :: /)
    if (n < 4)
        bad = bad "\n  " FILENAME ":" FNR ": not FILE :: TEXT :: CHANGE :: why"
    explained[trim(part[1]) "|" trim(part[2]) "|" trim(part[3])] = part[4]
    next
}

{
    split($0, f, "\t")
    all[f[2]]++
    mutants++
    if (f[1] == "noticed") {
        noticed[f[2]]++
        total++
        by[f[6]]++
        next
    }
    key = base(f[2]) "|" trim(f[5]) "|" trim(f[4])
    why = key in explained ? "\n      " explained[key] : ""
    if (why != "") {
        same[f[2]]++
        harmless++
    }
    survivors = survivors "\n  " f[2] ":" f[3] ": " f[4] "\n      " f[5] (f[6] != "" ? "\n      " f[6] : "") why
}

END {
    for (file in all)
        printf "%-44s %3d of %3d noticed%s\n", file, noticed[file], \
            all[file], same[file] ? ", " same[file] " explained" : "" \
            | "sort"
    close("sort")
    for (test in by)
        printf "  noticed by %-24s %4d\n", test, by[test] | "sort"
    close("sort")
    if (survivors != "")
        print "survivors:" survivors
    if (bad != "")
        print "explanations that cannot be read:" bad
    share = mutants ? 100 * total / mutants : 0
    printf "%d of %d mutants noticed: %.1f of 100%s\n", total, mutants, \
        share, harmless ? sprintf("; %d of the others cannot be noticed", \
            harmless) : ""
    exit !(share >= 90) || bad != ""
}
