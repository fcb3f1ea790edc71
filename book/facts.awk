# SPDX-License-Identifier: MIT
# facts.awk: the leaves of one results file (facts.lua's lines) as facts. `gpu`
# is the folder's name, `chapter` what the file is of: 07, peers, or another.

function fact(key, value)
{
    if (value != "") print key "\t" value
}

function number(value) { return sprintf("%.17g", value) }

function tera(path, key)
{
    if (path in value) fact(gpu "/" key, number(value[path] / 1e12))
}

function peer(path, value,    part, n)
{
    n = split(path, part, "/")
    if (n == 1) fact(gpu "/peers/" path, value)
    if (part[1] == "versions") fact(gpu "/peers/" part[2], value)
    if (part[1] == "rows" && part[5] == "ms")
        fact(gpu "/peers/" part[2] "/" part[3] "/" part[4] "/" \
            (part[6] == "median" ? "ms" : part[6] "_ms"), value)
    if (part[1] == "shapes" && part[3] == "shape")
        fact(gpu "/peers/" part[2] "/shape", value)
}

BEGIN {
    FS = "\t"
    rename["time_ms/this/median"] = "time_ms"
    rename["time_ms/this/low"] = "time_low_ms"
    rename["time_ms/this/high"] = "time_high_ms"
    rename["time_ms/previous/median"] = "previous_ms"
    rename["time_ms/previous/low"] = "previous_low_ms"
    rename["time_ms/previous/high"] = "previous_high_ms"
    rename["speedup/median"] = "speedup"
    rename["speedup/low"] = "speedup_low"
    rename["speedup/high"] = "speedup_high"
    rename["correct/cases"] = "cases"
}

$1 == "!" { print; exit }
chapter == "peers" { peer($1, $2); next }
{ value[$1] = $2 }

END {
    tera("copy_bytes_per_second", "copy_TB_per_second")
    tera("fp32_flops_per_second", "fp32_TFLOP_per_second")
    if ("copy_bytes_per_second" in value)
        fact(gpu "/ridge", number(value["fp32_flops_per_second"] / \
            value["copy_bytes_per_second"]))
    for (path in value) {
        n = split(path, part, "/")
        if (n == 1 && chapter !~ /^[0-9]+$/)
            fact(gpu "/" path, value[path])
        if (part[1] != "kernels") continue
        kernel = chapter "/" part[2] "/"
        if (part[3] == "build")
            fact(gpu "/" kernel part[4], value[path])
        if (part[3] != "runs") continue
        prefix = "kernels/" part[2] "/runs/" part[4] "/"
        sim = value[prefix "device/kind"] == "sim"
        where = (sim ? "sim" : gpu) "/" kernel
        rest = substr(path, length(prefix) + 1)
        if (rest in rename) fact(where rename[rest], value[path])
        if (part[5] == "counters" && n == 6)
            fact(where part[6], value[path])
        if (part[5] == "roofline" && n == 6)
            fact(where part[6], value[path])
        if (part[5] == "ratios" && n == 6)
            fact(where part[6], number(value[path]))
        if (part[5] == "gates" && part[7] == "value" &&
            !((prefix "ratios/" part[6]) in value))
            fact(where part[6], number(value[path]))
    }
}
