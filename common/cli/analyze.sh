#!/bin/sh
# SPDX-License-Identifier: MIT
# analyze.sh analyze|roofline NN: a chapter's report and the traffic model's
# numbers, as a table and as a picture. Checks the chapter first if there is no
# report of these sources; nothing is measured twice.
#
#   GPU=t4             without a GPU here: predict times for this one
#   SRC=DIR            a hand-in; or a folder of results (with
#                      solution-NN.json), such as book/results/nvidia-h200
#
# The simulated GPU counts sectors at the two shapes that `analyze shapes`
# prints. Nsight Compute's counts are added if it is here and permitted.
. common/cli/lib.sh

command=$1
number=$2
[ -z "${KERNEL:-}" ] ||
    die "make $command takes the whole chapter: leave out KERNEL=$KERNEL."
chapter=$(chapter_dir chapter "$number")
work=$BUILD/analyze
kind=chapter
results=
[ -x "$BUILD/bin/analyze" ] ||
    die "$BUILD/bin/analyze is missing: PREBUILT=1 needs a carried build."

if [ -n "$SRC" ] && [ -f "$SRC/solution-$number.json" ]; then
    results=--results
    kind=solution
    report=$SRC/solution-$number.json
    name=results-$number
elif [ -n "$SRC" ]; then
    report=$BUILD/report/src-$number.json
    name=src-$number
else
    report=$BUILD/report/chapter-$number.json
    name=chapter-$number
fi
counts=$work/$name
mkdir -p "$counts" || die "cannot write $counts"

# The file of ceilings: the results' own; for a report from this machine's GPU
# those that your chapter 03 measured, or the harness's; else the book's.
ceilings()
{
    if [ -n "$results" ]; then
        echo "$SRC/roofs.json"
        return
    fi
    for file in "$BUILD"/roofs/yours/*.json "$BUILD"/roofs/*.json \
        book/results/nvidia-h200/roofs.json; do
        [ -f "$file" ] || continue
        [ "${file#"$BUILD/roofs"}" = "$file" ] ||
            on_gpu "$report" || continue
        echo "$file"
        return
    done
}

analyze() # print|data
{
    "$BUILD/bin/analyze" "$1" "$chapter" --report "$report" \
        --roofs "$(ceilings)" --counts "$counts" --nsight "$counts/nsight" \
        --out "$counts" $results
}

has_report()
{
    analyze print >/dev/null 2>&1
    [ $? -ne 3 ]
}

# Makes sure that there is a report of these sources, this hand-in, and with a
# prediction for this GPU.
need_report()
{
    if [ -n "$results" ]; then
        has_report || die "$report cannot be read"
        return
    fi
    [ "$GPU$SRC" = "$(cat "$counts/asked" 2>/dev/null)" ] && has_report &&
        return
    echo "Checking chapter ${number#0} first." >&2
    sh common/cli/check.sh check-chapter "$number" >"$counts/check.txt" 2>&1
    echo "$GPU$SRC" >"$counts/asked"
    has_report || {
        cat "$counts/check.txt"
        die "" "Fix this first; then there is something to analyse."
    }
}

fact() # FILE KEY: a report's value
{
    [ ! -f "$1" ] || "$BUILD/bin/check" --facts "$1" |
        awk -F '\t' -v key="$2" '$1 == key { print $2 }'
}

on_gpu() # FILE: does the report include a GPU?
{
    "$BUILD/bin/check" --facts "$1" | grep -q '/device/kind	gpu$'
}

digest() # FILE: the digest of a report's sources
{
    fact "$1" source_sha256
}

count() # SHAPE
{
    to=$counts/$(echo "$1" | tr ' ' -).json
    [ "$(digest "$to")" != "$(digest "$report")" ] || return 0
    set -- "$kind" "${number#0}" --build "$BUILD" --root . --device sim \
        --shape "$1" --case 0 --json "$to"
    [ -z "$SRC" ] || [ -n "$results" ] || set -- "$@" --src "$SRC"
    [ -z "$PREBUILT" ] || set -- "$@" --prebuilt
    "$BUILD/bin/check" "$@" >"$counts/count.txt" 2>&1
}

count_traffic()
{
    "$BUILD/bin/analyze" shapes "$chapter" | sort -u |
        while IFS= read -r shape; do
            count "$shape" </dev/null
        done
}

# Nsight Compute's numbers, once per set of sources.
profile()
{
    stamp="# $(digest "$report")"
    ncu=$(command -v ncu || ls "$CUDA_HOME/bin/ncu" 2>/dev/null)
    if [ -n "$SRC" ] || [ -z "$ncu" ] || ! counters_permitted ||
        [ ! -x "$BUILD/hardware/launch" ] ||
        ! on_gpu "$report" ||
        [ "$(head -n 1 "$counts/nsight" 2>/dev/null)" = "$stamp" ]
    then
        return
    fi
    echo "$stamp" >"$counts/nsight"
    LD_LIBRARY_PATH=$CUDA_HOME/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    "$BUILD/bin/analyze" kernels "$chapter" |
        while read -r kernel op shape; do
            "$ncu" --clock-control none --csv --page raw --metrics \
                "$(nsight_metrics | paste -sd, -)" "$BUILD/hardware/launch" \
                "$BUILD/stage/chapter/$number/$kernel.so" "$op" "$shape" \
                </dev/null 2>"$counts/ncu.txt" |
                awk -v kernel="$kernel" -f common/cli/nsight.awk
        done >>"$counts/nsight"
}

nsight_metrics()
{
    echo "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum
dram__bytes_read.sum
dram__bytes_write.sum"
}

draw() # bars|roofline
{
    svg=$work/$1-$name.svg
    if ! command -v gnuplot >/dev/null; then
        echo "No picture: gnuplot is not installed."
        return 1
    fi
    analyze data || die "no data for the picture"
    gnuplot -e "data = '$counts/$1.dat'; style = 'book/plots/style.gp'" \
        "$counts/$1.gp" "book/plots/$1.gp" >"$counts/raw.svg" \
        2>"$counts/gnuplot.txt" ||
        die "gnuplot could not draw $1:" "$(cat "$counts/gnuplot.txt")"
    awk -v title="$(sed -n 1p "$counts/$1.txt")" \
        -v text="$(sed -n 2p "$counts/$1.txt")" \
        -v words="$(sed -n 3p "$counts/$1.txt")" \
        -f book/plots/finish.awk "$counts/raw.svg" >"$svg" ||
        die "no picture"
    echo "open $svg"
}

# The time and traffic of a wrong kernel mean nothing.
need_verdict()
{
    verdict=$(fact "$report" verdict)
    "$BUILD/bin/check" --facts verdicts |
        grep -q "^$verdict	[0-9]*	right\$" ||
        die "$report says $verdict: fix that first, then analyse." \
            "make check-chapter ${number#0} says where."
}

built=$(chapter_conf "$chapter" kind)
case $built in
timer | study)
    echo "Chapter ${number#0} is a $built: it has no kernel to analyse."
    echo "Its check says all there is: make check-chapter ${number#0}"
    exit 0
    ;;
esac
need_report
need_verdict
if [ "$command" = roofline ]; then
    draw roofline
    exit
fi
count_traffic
profile
analyze print
code=$?
[ $code -eq 0 ] || die "the report holds neither times nor counters"
echo
draw bars || true
