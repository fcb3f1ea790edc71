# SPDX-License-Identifier: MIT
# points.awk POINTS [FACTS]: points of one hand-in. FACTS: lines KEY, tab, VALUE
# of its report (check --facts). -v kernels="forward weight_grad": those of the
# assignment; -v untouched="...": those as they were handed out; -v days=N: how
# late, "" if nobody knows.
#
# Prints, separated by tabs, a line `kernel NAME VERDICT POINTS OF` each,
# `late DAYS LOST`, and `sum POINTS OF`.
#
# -v value_of=KEY prints that setting instead; -v known="PASS SLOW ..." instead
# says what is wrong with POINTS. It is nothing when all is well.
BEGIN {
    FS = "\t"
    n = split(kernels, kernel, " ")
    split(untouched, words, " ")
    for (k in words)
        is_untouched[words[k]] = 1
}
FNR == NR {
    line = $0
    sub(/#.*/, "", line)
    gsub(/^[ \t]+|[ \t\r]+$/, "", line)
    if (line == "")
        next
    if (split(line, pair, /[ \t]*=[ \t]*/) == 2 && pair[2] != "")
        value[pair[1]] = pair[2]
    else
        wrong = wrong "line " FNR " is no `key = value`: " line "\n"
    next
}
{
    split($1, path, "/")
    if (path[1] == "kernels" && path[3] == "verdict")
        verdict[path[2]] = $2
    if (path[1] == "kernels" && path[3] == "runs" && path[5] == "correct" &&
        path[4] == 1)
        count[path[2], path[6]] = $2
}

function check_settings(    names, i, key, is)
{
    split(known " " kernels " total cases keep deadline late closed", names,
        " ")
    for (i in names)
        is[names[i]] = 1
    for (key in value) {
        if (!(key in is))
            wrong = wrong "there is no `" key "`\n"
        else if (key == "keep" && value[key] !~ /^(best|last)$/)
            wrong = wrong "keep is best or last, not " value[key] "\n"
        else if (key !~ /^(keep|deadline)$/ &&
            value[key] !~ /^[0-9]+([.][0-9]+)?$/)
            wrong = wrong key " is a number, not " value[key] "\n"
    }
    if (!("total" in value))
        wrong = wrong "`total` is missing\n"
    printf "%s", wrong
}

function share_of(name, word,    planned)
{
    if (word in value)
        return value[word] / 100
    planned = count[name, "planned"]
    return planned ? value["cases"] / 100 * count[name, "passed"] / planned : 0
}

function print_points(    k, name, of, word, points, sum, most, lost)
{
    for (k = 1; k <= n; k++) {
        name = kernel[k]
        of = name in value ? value[name] : value["total"] / n
        word = name in verdict ? verdict[name] : "BUILD"
        if (name in is_untouched)
            word = "UNTOUCHED"
        points = word == "UNTOUCHED" ? 0 : of * share_of(name, word)
        sum += points
        most += of
        printf "kernel\t%s\t%s\t%.1f\t%.1f\n", name, word, points, of
    }
    lost = days * value["late"] / 100
    if (lost > 1 || ("closed" in value && days + 0 > value["closed"]))
        lost = 1
    printf "late\t%s\t%.1f\n", days, sum * lost
    printf "sum\t%.1f\t%.1f\n", sum * (1 - lost), most
}

END {
    if (known != "")
        check_settings()
    else if (value_of != "")
        print value[value_of]
    else
        print_points()
}
