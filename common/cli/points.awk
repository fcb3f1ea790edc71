# SPDX-License-Identifier: MIT
# points.awk POINTS [FACTS]: points of one hand-in. FACTS: lines KEY, tab, VALUE
# of its report (check --facts). -v kernels="forward weight_grad": those of the
# assignment; -v untouched="...": those as they were handed out; -v starter=FILE:
# facts of the starters; -v days=N: how late, "" if nobody knows.
#
# Prints, separated by tabs, a line `kernel NAME VERDICT POINTS OF` each,
# `late DAYS LOST`, and `sum POINTS OF`.
#
# The hard idea: a starter may be right, and then its cases are nobody's work. So
# a kernel that ran and did not pass earns only if it is better than its starter:
# more cases are right, or a gate that the starter misses came a tenth of the way to
# its limit, or a predicted speedup grew by as much. Idle accesses move a gate, which
# is a ratio, but make no kernel faster: a gate counts only with a twentieth of
# speed over the stage before, as predicted, or as measured on a GPU. SLOW says
# that all gates are met, which idle accesses may have done: without that speed
# it is worth what TECHNIQUE is.
#
# An instruction that the simulated GPU does not know (UNSUPPORTED) leaves a kernel
# open: its points are blank, and count 0, until a person decides.
# Otherwise its verdict is NO_BETTER, if it would have earned.
#
# -v value_of=KEY prints that setting instead. settings.awk says what is wrong with
# POINTS; here it is right.
BEGIN {
    FS = "\t"
    n = split(kernels, kernel, " ")
    split(untouched, words, " ")
    for (k in words)
        is_untouched[words[k]] = 1
}
NR == 1 { sub(/^\357\273\277/, "") } # as in settings.awk
FNR == NR {
    line = $0
    sub(/#.*/, "", line)
    gsub(/^[ \t]+|[ \t\r]+$/, "", line)
    if (line == "")
        next
    split(line, pair, /[ \t]*=[ \t]*/)
    value[pair[1]] = pair[2]
    next
}
{ take("handed in", $1, $2) }

# A fact of one of the two: "handed in", or "starter".
function take(who, key, fact,    path)
{
    split(key, path, "/")
    if (path[1] != "kernels")
        return
    if (path[3] == "verdict")
        verdict[who, path[2]] = fact
    if (path[3] == "predicted" && path[4] == "speedup")
        speedup[who, path[2]] = fact
    if (path[3] == "runs" && path[5] == "speedup" && path[6] == "low")
        measured[who, path[2]] = fact
    if (path[3] != "runs" || path[4] != 1)
        return
    if (path[5] == "correct")
        count[who, path[2], path[6]] = fact
    if (path[5] == "gates" && path[7] == "value") {
        gate[who, path[2], path[6]] = fact
        gates[path[6]] = 1
    }
    if (path[5] == "gates" && path[7] == "limit")
        limit[path[2], path[6]] = fact
    if (path[5] == "gates" && path[7] == "ok")
        is_met[who, path[2], path[6]] = fact == "true"
}

function take_starter(    line, fact)
{
    while ((getline line <starter) > 0) {
        split(line, fact, "\t")
        take("starter", fact[1], fact[2])
    }
}

# The part of the way from the starter's figure to the limit; 0 where either was
# not measured, or the starter has no way to go.
function gain(name, what,    from, to)
{
    from = gate["starter", name, what]
    to = limit[name, what]
    if (from == "" || gate["handed in", name, what] == "" ||
        is_met["starter", name, what])
        return 0
    if (is_met["handed in", name, what] || from == to)
        return is_met["handed in", name, what]
    return (gate["handed in", name, what] - from) / (to - from)
}

# Nothing is known of its speed: it is not.
function is_faster(name)
{
    return speedup["handed in", name] + 0 >= 1.05 ||
        measured["handed in", name] + 0 >= 1.05
}

function is_better(name,    what)
{
    if (verdict["starter", name] == "")
        return 1
    if (count["handed in", name, "passed"] + 0 > \
        count["starter", name, "passed"] + 0)
        return 1
    for (what in gates)
        if ((is_faster(name) || verdict["handed in", name] == "SLOW") &&
            gain(name, what) >= 0.1)
            return 1
    return speedup["starter", name] > 0 &&
        speedup["handed in", name] >= 1.1 * speedup["starter", name]
}

function share_of(name, word,    planned)
{
    if (word in value)
        return value[word] / 100
    if (word ~ /^(BUILD|REFUSED)$/) # no case was run
        return 0
    planned = count["handed in", name, "planned"]
    return planned ? value["cases"] / 100 * \
        count["handed in", name, "passed"] / planned : 0
}

function print_points(    k, name, of, word, share, points, sum, most, lost)
{
    for (k = 1; k <= n; k++) {
        name = kernel[k]
        of = name in value ? value[name] : value["total"] / n
        word = verdict["handed in", name]
        if (word == "")
            word = "BUILD"
        if (name in is_untouched)
            word = "UNTOUCHED"
        else if (word !~ /^(PASS|BUILD|REFUSED|UNSUPPORTED)$/ &&
            share_of(name, word) > 0 && !is_better(name))
            word = "NO_BETTER"
        share = share_of(name, word)
        if (word == "SLOW" && !is_faster(name) &&
            share > share_of(name, "TECHNIQUE"))
            share = share_of(name, "TECHNIQUE")
        points = word ~ /^(UNTOUCHED|NO_BETTER|UNSUPPORTED)$/ ? 0 : of * share
        sum += points
        most += of
        printf "kernel\t%s\t%s\t%s\t%.1f\n", name, word,
            word == "UNSUPPORTED" ? "" : sprintf("%.1f", points), of
    }
    lost = days * value["late"] / 100
    if (lost > 1 || ("closed" in value && days + 0 > value["closed"]))
        lost = 1
    printf "late\t%s\t%.1f\n", days, sum * lost
    printf "sum\t%.1f\t%.1f\n", sum * (1 - lost), most
}

END {
    if (value_of != "")
        print value[value_of]
    else {
        if (starter != "")
            take_starter()
        print_points()
    }
}
