# SPDX-License-Identifier: MIT
# derive.awk: facts.sh's lines, and after them what follows from them:
#
#   GPU/NN/total/time_ms, copy_ms        the three paths of a chapter together
#   GPU/NN/KERNEL/over_copy              time over a copy of the same bytes
#   GPU/NN/KERNEL/step_from/MM           how many times as fast as chapter MM
#   GPU/peers/SHAPE/PATH/ours/ms         our newest stage, chapter/... as below
#   GPU/peers/SHAPE/total/PEER/ms        the three paths together
#   GPU/peers/SHAPE/PATH/PEER/over_copy  time over the copy
#   GPU/peers/SHAPE/PATH/PEER/times_ours how many times as long as ours
#   predicted/NN/KERNEL/over_measured    on the H200
#   study/VARIANT/PATH/step_from/OTHER
#
# KERNEL and PATH may be `total`. A total of two paths is no total: nothing is
# derived from what is not there.

BEGIN { FS = OFS = "\t" }

{ print; fact[$1] = $2 }

function put(key, value)
{
    if (key in fact) return
    fact[key] = value
    print key, sprintf("%.17g", value)
}

# Sums KEY over the three paths, written with `@` where the path stands.
function total(key,    sum, i, at)
{
    for (i = 1; i <= paths; i++) {
        at = key
        sub(/@/, path[i], at)
        if (!(at in fact)) return
        sum += fact[at]
    }
    sub(/@/, "total", key)
    put(key, sum)
}

function ratio(to, over, under)
{
    if (over in fact && under in fact) put(to, fact[over] / fact[under])
}

# The keys so far, split; part[] of one of them.
function keys(    key)
{
    known = 0
    for (key in fact) list[++known] = key
}

function ours(key,    peer)
{
    peer = key
    if (!sub(/\/chapter-[0-9]+\/ms$/, "", peer)) return
    put(peer "/ours/ms", fact[key])
}

function totals(key,    at)
{
    at = key
    if (at ~ /^[^\/]+\/[0-9]+\/forward\/(time|copy)_ms$/ ||
        at ~ /^[^\/]+\/peers\/[a-z]+\/forward\/[a-z_]+\/ms$/) {
        sub(/\/forward\//, "/@/", at)
        total(at)
    }
}

function over_copy(key,    at)
{
    at = key
    if (sub(/\/time_ms$/, "", at)) ratio(at "/over_copy", key, at "/copy_ms")
    else if (key ~ /\/peers\/.*\/ms$/) {
        sub(/\/ms$/, "", at)
        ratio(at "/over_copy", key, beside(at, "copy"))
        if (at !~ /\/(copy|ours|chapter-[0-9]+)$/)
            ratio(at "/times_ours", key, beside(at, "ours"))
    }
}

function predicted(key,    at)
{
    at = key
    if (!sub(/^predicted\//, "", at) || !sub(/\/ms$/, "", at)) return
    ratio("predicted/" at "/over_measured", key, "nvidia-h200/" at "/time_ms")
}

function beside(at, peer)
{
    sub(/[^\/]*$/, peer, at)
    return at "/ms"
}

# Chapter against chapter, variant against variant.
function steps(key, other,    a, b, n)
{
    if (key !~ /^[^\/]+\/[^\/]+\/[a-z_]+\/time_ms$/) return
    split(key, a, "/")
    split(other, b, "/")
    if (a[1] != b[1] || a[3] != b[3] || b[4] != "time_ms" || a[2] == b[2] ||
        a[2] == "peers" || (a[1] != "study" && a[2] < b[2]))
        return
    ratio(a[1] "/" a[2] "/" a[3] "/step_from/" b[2], other, key)
}

END {
    paths = split("forward\tinput_grad\tweight_grad", path, "\t")
    keys()
    for (i = 1; i <= known; i++) ours(list[i])
    keys()
    for (i = 1; i <= known; i++) totals(list[i])
    keys()
    for (i = 1; i <= known; i++) { over_copy(list[i]); predicted(list[i]) }
    timed = 0
    for (i = 1; i <= known; i++)
        if (list[i] ~ /\/time_ms$/ && list[i] !~ /^sim/) time[++timed] = list[i]
    for (i = 1; i <= timed; i++)
        for (j = 1; j <= timed; j++) steps(time[i], time[j])
}
