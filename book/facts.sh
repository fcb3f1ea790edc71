#!/bin/sh
# SPDX-License-Identifier: MIT
# facts.sh [RESULTS]: every number that a page may quote, as `KEY<TAB>VALUE`
# lines on stdout, read from RESULTS/GPU/*.json (book/results by default).
#
#   GPU/NN/KERNEL/time_ms ...   measured on that GPU
#   GPU/date ...                of the measurement
#   sim/NN/KERNEL/COUNTER       what the simulated GPU counted
#   ncu/NN/KERNEL/COUNTER       what an H200 counted, at a kernel's first shape
#                               in tests/hardware/h200.csv
#
# The simulator's counts are the same whatever machine they came from: two
# results that disagree are an error.
set -u
here=$(dirname "$0")
results=${1:-$here/results}

flat() # FILE: its leaves as `path<TAB>value`
{
    pandoc -f markdown -t plain -o /dev/null --metadata-file "$1" \
        --lua-filter "$here/facts.lua" </dev/null || printf '!\t%s\n' "$1"
}

counted() # by the hardware: the columns of its table
{
    awk -F , '
        /^#/ { next }
        !columns { for (columns = NF; ++i <= NF;) name[i] = $i; next }
        !seen[$1, $2]++ {
            for (i = 5; i <= columns; i++)
                print "ncu/" $1 "/" $2 "/" name[i] "\t" $i
        }' "$here/../tests/hardware/h200.csv" || printf '!\th200.csv\n'
}

{
counted
for file in "$results"/*/*.json; do
    [ -f "$file" ] || { echo "facts: no $file" >&2; exit 1; }
    gpu=${file%/*}
    gpu=${gpu##*/}
    chapter=${file##*/solution-}
    flat "$file" | awk -F '\t' -v gpu="$gpu" -v chapter="${chapter%.json}" '
        function fact(key, value) {
            if (value != "") print key "\t" value
        }
        function number(value) { return sprintf("%.17g", value) }
        function tera(path, key) {
            if (path in value) fact(gpu "/" key, number(value[path] / 1e12))
        }
        BEGIN {
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
                if (part[5] == "gates" && part[7] == "value")
                    fact(where part[6], number(value[path]))
            }
        }'
done
} | sort -u | awk -F '\t' '
    $1 == "!" { print "facts: cannot read " $2 >"/dev/stderr"; bad = 1; next }
    $1 == last {
        print "facts: results disagree on " $1 >"/dev/stderr"
        bad = 1
    }
    { last = $1; print }
    END { exit bad || NR == 0 }'
