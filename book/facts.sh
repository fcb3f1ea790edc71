#!/bin/sh
# SPDX-License-Identifier: MIT
# facts.sh [RESULTS]: every number that a page may quote, as `KEY<TAB>VALUE`
# lines on stdout, read from RESULTS/GPU/*.json (book/results by default).
#
#   GPU/NN/KERNEL/time_ms ...   measured on that GPU
#   GPU/date ...                of the measurement
#   GPU/peers/SHAPE/PATH/PEER/ms ...   peers.json; its date and versions too
#   sim/NN/KERNEL/COUNTER       what the simulated GPU counted
#   ncu/NN/KERNEL/COUNTER       what an H200 counted, at a kernel's first shape
#                               in tests/hardware/h200.csv
#   predicted/NN/KERNEL/ms      by the traffic model (predicted.tsv), and its
#                               parts; over_measured
#   timed/NN/KERNEL/COUNTER     what Nsight counted at the timed shape
#                               (tests/hardware/traffic-h200.csv)
#   study/VARIANT/PATH/time_ms  cited (study.tsv)
#
# and what derive.awk makes of them: totals, ratios, steps.
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

study() # the cited table, as facts
{
    awk -F '\t' '
        /^# variant/ { n = split(substr($0, 3), name, "\t"); next }
        /^#/ || !NF { next }
        { for (i = 2; i < n; i++)
              print "study/" $1 "/" name[i] "/time_ms\t" $i
          print "study/" $1 "/epoch_s\t" $n }' "$here/study.tsv"
}

counted() # PREFIX TABLE: by the hardware: the columns of its table
{
    awk -F , -v prefix="$1" '
        /^#/ { next }
        !columns { for (columns = NF; ++i <= NF;) name[i] = $i; next }
        !seen[$1, $2]++ {
            for (i = 5; i <= columns; i++)
                print prefix "/" $1 "/" $2 "/" name[i] "\t" $i
        }' "$here/../tests/hardware/$2" || printf '!\t%s\n' "$2"
}

measured()
{
    for file in "$results"/*/*.json; do
        [ -f "$file" ] || { echo "facts: no $file" >&2; exit 1; }
        gpu=${file%/*}
        gpu=${gpu##*/}
        chapter=${file##*/}
        chapter=${chapter#solution-}
        flat "$file" | awk -v gpu="$gpu" -v chapter="${chapter%.json}" \
            -f "$here/facts.awk"
    done
}

{
    counted ncu h200.csv
    counted timed traffic-h200.csv
    grep -v '^#' "$here/predicted.tsv"
    measured
    study
} | sort -u | awk -F '\t' '
    $1 == "!" { print "facts: cannot read " $2 >"/dev/stderr"; bad = 1; next }
    $1 == last {
        print "facts: results disagree on " $1 >"/dev/stderr"
        bad = 1
    }
    { last = $1; print }
    END { if (bad || NR == 0) print "!" }' |
    awk -f "$here/derive.awk" | awk '$1 == "!" { exit 1 } { print }'
