# SPDX-License-Identifier: MIT
# points.awk POINTS FACTS: points of one hand-in. FACTS: lines KEY, tab, VALUE
# of its report (check --facts). -v kernels="forward weight_grad": those of the
# assignment; -v untouched="...": those as they were handed out.
#
# Prints, separated by tabs, a line `kernel NAME VERDICT POINTS OF` each, and
# `sum POINTS OF`.
BEGIN {
    FS = "\t"
    n = split(kernels, kernel, " ")
    split(untouched, words, " ")
    for (k in words)
        is_untouched[words[k]] = 1
}
FNR == NR {
    sub(/#.*/, "")
    if (split($0, pair, /[ \t]*=[ \t]*/) == 2) {
        gsub(/^[ \t]+|[ \t]+$/, "", pair[1])
        value[pair[1]] = pair[2] + 0
    }
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
END {
    own = 0
    for (k = 1; k <= n; k++)
        if (kernel[k] in value)
            own++
    for (k = 1; k <= n; k++) {
        name = kernel[k]
        of = name in value ? value[name] : value["total"] / n
        word = name in verdict ? verdict[name] : "BUILD"
        if (name in is_untouched) {
            share = 0
            word = "UNTOUCHED"
        } else if (word in value) {
            share = value[word] / 100
        } else {
            planned = count[name, "cases"]
            share = planned ? value["cases"] / 100 * \
                count[name, "passed"] / planned : 0
        }
        points = of * share
        sum += points
        most += of
        printf "kernel\t%s\t%s\t%.1f\t%.1f\n", name, word, points, of
    }
    printf "sum\t%.1f\t%.1f\n", sum, most
}
