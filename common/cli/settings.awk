# SPDX-License-Identifier: MIT
# settings.awk POINTS: says what is wrong with a file of points, a line each,
# `LINE: what; what to write instead`. Nothing: all is well. -v kernels="forward
# weight_grad": the chapter's; -v known="PASS SLOW ...": the verdicts.
#
# -v value_of=deadline prints the deadline as date -d takes it, to the second.
# -v value_of=worth says what a hand-in is worth at most, if that is not `total`.
#
# The hard idea: a slip here would cost a whole class its points, and nobody would
# see it. So nothing is guessed: not which day a 31 November is, not whose clock
# it is.
BEGIN {
    split(known " " kernels " total cases keep deadline late closed", names, " ")
    for (i in names)
        is_key[names[i]] = 1
    n = weights = split(kernels, kernel, " ")
    split(known " cases late", names, " ")
    for (i in names)
        is_percent[names[i]] = 1
    months = "31 29 31 30 31 30 31 31 30 31 30 31"
    split(months, days_of, " ")
}
NR == 1 { sub(/^\357\273\277/, "") } # some editors mark UTF-8 so
{
    line = $0
    sub(/#.*/, "", line)
    gsub(/^[ \t]+|[ \t\r]+$/, "", line)
    if (line == "")
        next
    if (!match(line, /[ \t]*=[ \t]*/) || RSTART == 1 ||
        RSTART + RLENGTH > length(line)) {
        wrong("this is no `key = value`: " line)
        next
    }
    key = substr(line, 1, RSTART - 1)
    take(key, substr(line, RSTART + RLENGTH))
}

function wrong(words)
{
    if (value_of == "")
        printf "%d: %s\n", FNR, words
}

function take(key, text)
{
    if (!(key in is_key))
        wrong("there is no `" key "`; known are the verdicts, the kernels (" \
            kernels ") and total, cases, keep, deadline, late, closed")
    else if (key in first)
        wrong("`" key "` stands in line " first[key] ", too: leave one of them")
    else if (key == "deadline")
        check_deadline(text)
    else if (key == "keep" && text !~ /^(best|last)$/)
        wrong("keep is best or last, not " text)
    else if (key != "keep")
        check_number(key, text)
    weight[key] = text + 0
    if (!(key in first))
        first[key] = FNR
}

function check_number(key, text)
{
    if (text !~ /^[0-9]+([.][0-9]+)?$/)
        wrong(key " is a number, such as " (key == "closed" ? 7 : 40) \
            " or 2.5, not " text)
    else if (key in is_percent && text + 0 > 100)
        wrong(key " is a percentage, 100 at most, not " text)
    else if (key == "total" && text + 0 == 0)
        wrong("total is more than 0")
    else if (key == "closed" && text ~ /[.]/)
        wrong("closed is a number of whole days, not " text)
}

# The days of a month; 0: there is no such month.
function days_in(year, month)
{
    if (month < 1 || month > 12)
        return 0
    if (month == 2 && (year % 4 || (year % 100 == 0 && year % 400)))
        return 28
    return days_of[month]
}

# Why it is no time; "": it is one. Into part: year, month, day, hour, minute,
# second ("" without one), zone.
function reason_against(text, part,    days, zone)
{
    if (text !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]/)
        return "it is not of that form"
    part["year"] = substr(text, 1, 4)
    part["month"] = substr(text, 6, 2)
    part["day"] = substr(text, 9, 2)
    part["hour"] = substr(text, 12, 2)
    part["minute"] = substr(text, 15, 2)
    zone = substr(text, 17)
    part["second"] = ""
    if (zone ~ /^:[0-9][0-9]/) {
        part["second"] = substr(zone, 2, 2)
        zone = substr(zone, 4)
    }
    part["zone"] = zone
    days = days_in(part["year"] + 0, part["month"] + 0)
    if (part["year"] + 0 < 2000)
        return "the year is " part["year"]
    if (!days)
        return "there is no month " part["month"]
    if (part["day"] + 0 < 1 || part["day"] + 0 > days)
        return "that month has no day " part["day"]
    if (part["hour"] + 0 > 23)
        return "there is no hour " part["hour"] "; a day begins at 00:00 and " \
            "its last minute is 23:59"
    if (part["minute"] + 0 > 59)
        return "there is no minute " part["minute"]
    if (part["second"] != "" && part["second"] + 0 > 59)
        return "there is no second " part["second"]
    if (zone == "")
        return "its zone is missing"
    if (zone !~ /^(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$/)
        return "`" zone "` is no zone"
    return ""
}

# A deadline of a minute ends with that minute.
function check_deadline(text,    why, part)
{
    why = reason_against(text, part)
    if (why != "")
        wrong("deadline is " text ", but " why "; write it as " \
            "2026-11-30T23:59+01:00, or 2026-11-30T22:59Z in UTC")
    else if (value_of == "deadline")
        printf "%s-%s-%sT%s:%s:%s%s\n", part["year"], part["month"],
            part["day"], part["hour"], part["minute"],
            part["second"] == "" ? "59" : part["second"], part["zone"]
}

# As points.awk adds it up, to a tenth.
function worth(    i, part, parts, sum)
{
    for (i = 1; i <= n; i++) {
        part = kernel[i] in weight ? weight[kernel[i]] : weight["total"] / n
        parts = parts (i > 1 ? ", " : "") sprintf("%s %.1f", kernel[i], part)
        sum += part
    }
    if (sprintf("%.1f", sum) != sprintf("%.1f", weight["total"]))
        printf "%s: a hand-in is worth %.1f points at most, and not the " \
            "`total` of %s: %s\n", FILENAME, sum, weight["total"], parts
}

END {
    if (value_of == "worth")
        worth()
    if (value_of == "" && !("total" in first)) {
        FNR++
        wrong("`total` is missing; add: total = 100")
    }
    for (i = 1; i <= weights; i++)
        if (!(kernel[i] in weight) || weight[kernel[i]] > 0)
            weights = 0
    if (weights)
        wrong("every kernel is worth 0, and so is every hand-in; give one of " \
            "them points, as: " kernel[1] " = 100")
    if (value_of != "")
        exit
    need("PASS", "a right kernel would earn by its cases alone", "PASS = 100")
    need("cases", "right cases of a kernel that does not pass would earn " \
        "nothing", "cases = 40, or 0 to mean that")
    if ("deadline" in first)
        need("late", "a day after the deadline would cost nothing",
            "late = 10, or 0 to mean that")
}

# What nobody leaves out on purpose.
function need(key, else_, line)
{
    if (key in first)
        return
    FNR++
    wrong("`" key "` is missing, so that " else_ "; add: " line)
}
