# SPDX-License-Identifier: MIT
# tables.awk: a table of results as Markdown. Its input is facts.sh's output;
# `table` names it:
#
#   study-cited     the study's times, ms
#   study           the study's times beside ours, ms
#   study-steps     how many times as fast as the coalesced stage, both
#   aims            what the ladder set out to reach, and where it is
#   shares          the paths of each chapter: part of the step, GB/s
#   predicted       the traffic model's times beside the measured ones
#   predicted-bytes the bytes it moves beside what Nsight counted
#   peers-SHAPE     our newest stages beside their peers at a shape, ms
#
# What was not measured is a dash. A table without a measured cell is an error.

BEGIN {
    FS = "\t"
    GPU = "nvidia-h200"
    paths = split("forward input_grad weight_grad total", path, " ")
}

{ fact[$1] = $2 }

function ms(key)
{
    if (!(key in fact)) return "–"
    measured++
    return sprintf(fact[key] < 100 ? "%#.3g" : "%.0f", fact[key]) ""
}

function tidy(text) # "24." is 24 and a point too many
{
    sub(/\.$/, "", text)
    return text
}

function times(key)
{
    if (!(key in fact)) return "–"
    measured++
    return sprintf("%.2f", fact[key])
}

function row(cells) { print "| " cells " |" }

# The study -------------------------------------------------------------------

function study_row(variant, chapter,    cells, p)
{
    cells = (variant ? variant : "–") " | " (chapter ? chapter : "–")
    for (p = 1; p <= paths; p++)
        cells = cells " | " (variant ? \
            fact["study/" variant "/" path[p] "/time_ms"] : "–")
    for (p = 1; p <= paths; p++)
        cells = cells " | " tidy(ms(GPU "/" chapter "/" path[p] "/time_ms"))
    row(cells)
}

function study()
{
    row("study | ours | P100: fwd | input | weight | total | H200: fwd | " \
        "input | weight | total")
    print "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    study_row("naive", "04")
    study_row("coalesced", "05")
    study_row("shared", "06")
    study_row("warp-tiled", "07")
    if (GPU "/08/weight_grad/time_ms" in fact) study_row("", "08")
    if (GPU "/09/weight_grad/time_ms" in fact) study_row("", "09")
}

function cited_row(variant,    cells, p)
{
    cells = variant
    for (p = 1; p <= paths; p++)
        cells = cells " | " fact["study/" variant "/" path[p] "/time_ms"]
    row(cells)
    measured++
}

function study_cited()
{
    row("ms | forward | input grad | weight grad | conv total")
    print "|---|--:|--:|--:|--:|"
    cited_row("naive")
    cited_row("coalesced")
    cited_row("shared")
    cited_row("warp-tiled")
}

function step_row(variant, chapter,    cells, p)
{
    cells = (variant ? variant : "–") " | " chapter
    for (p = 1; p <= paths; p++)
        cells = cells " | " (variant ? times("study/" variant "/" path[p] \
            "/step_from/coalesced") : "–")
    for (p = 1; p <= paths; p++)
        cells = cells " | " times(GPU "/" chapter "/" path[p] "/step_from/05")
    row(cells)
}

function study_steps()
{
    row("study | ours | P100: fwd | input | weight | total | H200: fwd | " \
        "input | weight | total")
    print "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    step_row("shared", "06")
    step_row("warp-tiled", "07")
    if (GPU "/08/weight_grad/time_ms" in fact) step_row("", "08")
    if (GPU "/09/weight_grad/time_ms" in fact) step_row("", "09")
}

# Where the step's time is ----------------------------------------------------

function share_row(chapter,    cells, p, key, total)
{
    total = fact[GPU "/" chapter "/total/time_ms"]
    cells = chapter
    for (p = 1; p < paths; p++)
        cells = cells " | " sprintf("%.0f %%", 100 * fact[GPU "/" chapter \
            "/" path[p] "/time_ms"] / total)
    for (p = 1; p < paths; p++) {
        key = GPU "/" chapter "/" path[p]
        cells = cells " | " sprintf("%.0f", fact[key "/bytes"] / \
            fact[key "/time_ms"] * 1e-6)
    }
    row(cells)
    measured++
}

function shares(    chapter)
{
    row("chapter | share: fwd | input | weight | GB/s: fwd | input | weight")
    print "|---|--:|--:|--:|--:|--:|--:|"
    for (chapter = 4; chapter <= 9; chapter++)
        if (GPU "/0" chapter "/total/time_ms" in fact) share_row("0" chapter)
}

# Predictions -----------------------------------------------------------------

# The kernels that have one, by chapter and name: into kernel[], kernels.
function predictions(    key, at, i, j)
{
    for (key in fact) {
        at = key
        if (!sub(/^predicted\//, "", at) || !sub(/\/ms$/, "", at)) continue
        for (i = ++kernels; i > 1 && kernel[i - 1] > at; i--)
            kernel[i] = kernel[i - 1]
        kernel[i] = at
    }
}

function cells_of(at,    part)
{
    split(at, part, "/")
    return part[1] " | `" part[2] "`"
}

function predicted(    i, p)
{
    predictions()
    row("chapter | kernel | measured, ms | PREDICTED, ms | over measured | " \
        "what binds")
    print "|---|---|--:|--:|--:|---|"
    for (i = 1; i <= kernels; i++) {
        p = "predicted/" kernel[i]
        row(cells_of(kernel[i]) " | " tidy(ms(GPU "/" kernel[i] "/time_ms")) \
            " | " tidy(ms(p "/ms")) " | " times(p "/over_measured") " | " \
            fact[p "/bound"])
    }
}

function giga(bytes) { return sprintf("%.2f", bytes * 1e-9) }

function predicted_bytes(    i, p, t)
{
    predictions()
    row("chapter | kernel | L2, GB: counted | PREDICTED | memory, GB: " \
        "counted | PREDICTED")
    print "|---|---|--:|--:|--:|--:|"
    for (i = 1; i <= kernels; i++) {
        p = "predicted/" kernel[i]
        t = "timed/" kernel[i]
        if (!(t "/l2_read_sectors" in fact)) continue
        measured++
        row(cells_of(kernel[i]) " | " giga(32 * (fact[t "/l2_read_sectors"] + \
            fact[t "/l2_write_sectors"])) " | " giga(fact[p "/l2_bytes"]) \
            " | " giga(fact[t "/memory_read_bytes"] + \
            fact[t "/memory_write_bytes"]) " | " giga(fact[p "/memory_bytes"]))
    }
}

# Aims ------------------------------------------------------------------------

# A row: what, whether less or more is wanted, the limit, and the fact.
function aim(what, sense, limit, key,    value)
{
    if (key in fact) {
        value = fact[key]
        measured++
        row(what " | " sense " " limit "x | " sprintf("%.2f", value) "x | " \
            ((sense == "at most" ? value <= limit : value >= limit) ? \
            "reached" : "not reached"))
    } else row(what " | " sense " " limit "x | – | –")
}

# Ours over a peer.
function inverse(to, from)
{
    if (from in fact) fact[to] = 1 / fact[from]
}

function aims(    g, s, p)
{
    g = GPU "/"
    row("aim | limit | measured | ")
    print "|---|--:|--:|---|"
    aim("chapter 07 forward, over a copy", "at most", 1.35, \
        g "07/forward/over_copy")
    aim("chapter 07 input gradient, over a copy", "at most", 1.35, \
        g "07/input_grad/over_copy")
    aim("chapter 08 weight gradient, over a copy", "at most", 1.35, \
        g "08/weight_grad/over_copy")
    aim("chapter 09 forward, over a copy", "at most", 1.12, \
        g "09/forward/over_copy")
    aim("chapter 09 input gradient, over a copy", "at most", 1.12, \
        g "09/input_grad/over_copy")
    aim("chapter 09 weight gradient, over a copy", "at most", 1.08, \
        g "09/weight_grad/over_copy")
    aim("three paths, 05 over 07", "at least", 2.6, g "07/total/step_from/05")
    aim("three paths, 05 over 09", "at least", 5, g "09/total/step_from/05")
    aim("three paths, PyTorch over ours", "at least", 35, \
        g "peers/study/total/pytorch/times_ours")
    inverse("long", g "peers/long/forward/fft/times_ours")
    aim("K = L = 768 forward, over FFT", "at most", 0.6, "long")
    aim("K = L = 768 three paths, PyTorch over ours", "at least", 10, \
        g "peers/long/total/pytorch/times_ours")
    for (s = 4; s <= 5; s++)
        for (p = 1; p < paths; p++)
            aim("K = " s " " path[p] ", over a copy", "at most", 1.15, g \
                "peers/" (s == 4 ? "short" : "small") "/" path[p] \
                "/ours/over_copy")
}

# The peers -------------------------------------------------------------------

function peer_row(shape, peer, words,    cells, p)
{
    cells = words
    for (p = 1; p <= paths; p++)
        cells = cells " | " tidy(ms(GPU "/peers/" shape "/" path[p] "/" peer \
            "/ms"))
    for (p = 1; p <= paths; p++)
        cells = cells " | " times(GPU "/peers/" shape "/" path[p] "/" peer \
            "/over_copy")
    row(cells)
}

function peers(shape)
{
    row("ms; times a copy | fwd | input | weight | all | x copy: fwd | input | " \
        "weight | all")
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    peer_row(shape, "copy", "float4 copy")
    peer_row(shape, "ours", "ours, newest")
    peer_row(shape, "pytorch", "PyTorch, padded before")
    peer_row(shape, "pytorch_pads", "PyTorch, pads inside")
    peer_row(shape, "cudnn", "cuDNN's C interface")
    peer_row(shape, "fft", "FFT (torch.fft)")
}

END {
    if (table == "study") study()
    else if (table == "study-cited") study_cited()
    else if (table == "study-steps") study_steps()
    else if (table == "aims") aims()
    else if (table == "shares") shares()
    else if (table == "predicted") predicted()
    else if (table == "predicted-bytes") predicted_bytes()
    else if (table ~ /^peers-[a-z]+$/) peers(substr(table, 7))
    else unknown = 1
    if (unknown || !measured) {
        print "no table " table " in these results" >"/dev/stderr"
        exit 1
    }
}
