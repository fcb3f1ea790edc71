#!/bin/sh
# SPDX-License-Identifier: MIT
# analyze.sh analyze|roofline NN: a chapter's report and the traffic model's
# numbers, as a table and as a picture. Checks the chapter first if there is no
# report of these sources; nothing is measured twice.
#
#   GPU=t4             without a GPU here: predict times for this one
#   SRC=DIR            a hand-in; or a folder of results (with
#                      solution-NN.json), such as book/results/nvidia-h200
#   KERNEL=tile        this kernel alone
#
# The simulated GPU counts each kernel's sectors at the two shapes that
# `analyze shapes` prints for it. Nsight Compute's counts are added if it is
# here and permitted.
. common/cli/lib.sh

command=$1
number=$2
KERNEL=${KERNEL:-}
[ -z "${SHAPE:-}${CASE:-}${DRAW:-}" ] ||
    die "make $command takes chapter.conf's shapes:" \
        "leave out SHAPE, CASE and DRAW."
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
[ -z "$KERNEL" ] || name=$name-$KERNEL
mkdir -p "$counts" || die "cannot write $counts"

nsight=$counts/nsight${KERNEL:+-$KERNEL}

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
        --roofs "$(ceilings)" --counts "$counts" --nsight "$nsight" \
        --out "$counts" --kernel "$KERNEL" $results
}

has_report()
{
    analyze print >/dev/null 2>&1
    [ $? -ne 3 ]
}

# Is the report of these sources, this hand-in, and with a prediction for this
# GPU?
is_what_was_asked() # FILE: what was asked when it was made
{
    [ "$GPU$SRC" = "$(cat "$1" 2>/dev/null)" ] && has_report
}

# Makes sure that there is a report. One of the whole chapter serves a kernel,
# too; without it, the kernel alone is checked.
need_report()
{
    if [ -n "$results" ]; then
        has_report || die "$report cannot be read"
        return
    fi
    ! is_what_was_asked "$counts/asked" || return 0
    json=
    if [ -n "$KERNEL" ]; then
        json=$counts/report-$KERNEL.json
        report=$json
        ! is_what_was_asked "$counts/asked-$KERNEL" || return 0
    fi
    echo "Checking ${KERNEL:+$KERNEL of }chapter ${number#0} first." >&2
    JSON=$json sh common/cli/check.sh check-chapter "$number" \
        >"$counts/check.txt" 2>&1
    echo "$GPU$SRC" >"$counts/asked${KERNEL:+-$KERNEL}"
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

count() # KERNEL SHAPE
{
    to=$counts/$1/$(echo "$2" | tr ' ' -).json
    source=$(fact "$report" source)/$1.cu
    [ "$(digest "$to")" != "$(sha256sum "$source" | cut -d ' ' -f 1)" ] ||
        return 0
    echo "Counting what $1 moves at $2." >&2
    mkdir -p "${to%/*}"
    set -- "$kind" "${number#0}" --build "$BUILD" --root . --device sim \
        --kernel "$1" --shape "$2" --case 0 --json "$to"
    [ -z "$SRC" ] || [ -n "$results" ] || set -- "$@" --src "$SRC"
    [ -z "$PREBUILT" ] || set -- "$@" --prebuilt
    "$BUILD/bin/check" "$@" >"$counts/count.txt" 2>&1
}

# A committed result of other sources has no use for counts of these.
is_of_today()
{
    [ -n "$results" ] || return 0
    from=$(fact "$report" source)
    "$BUILD/bin/check" --facts "$report" |
        awk -F '\t' '$1 ~ /^kernels\/[^\/]*\/name$/ { print $2 }' |
        while read -r kernel; do cat "$from/$kernel.cu"; done | sha256sum |
        grep -q "^$(digest "$report") "
}

count_traffic()
{
    is_of_today || return 0
    "$BUILD/bin/analyze" shapes "$chapter" --kernel "$KERNEL" |
        while read -r kernel shape; do
            count "$kernel" "$shape" </dev/null
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
        [ "$(head -n 1 "$nsight" 2>/dev/null)" = "$stamp" ]
    then
        return
    fi
    echo "$stamp" >"$nsight"
    LD_LIBRARY_PATH=$CUDA_HOME/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    "$BUILD/bin/analyze" kernels "$chapter" --kernel "$KERNEL" |
        while read -r kernel op shape; do
            "$ncu" --clock-control none --csv --page raw --metrics \
                "$(nsight_metrics | paste -sd, -)" "$BUILD/hardware/launch" \
                "$BUILD/stage/chapter/$number/$kernel.so" "$op" "$shape" \
                </dev/null 2>"$counts/ncu.txt" |
                awk -v kernel="$kernel" -f common/cli/nsight.awk
        done >>"$nsight"
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
    verdict=$(fact "$report" "${KERNEL:+kernels/$KERNEL/}verdict")
    "$BUILD/bin/check" --facts verdicts |
        grep -q "^$verdict	[0-9]*	right\$" ||
        die "$report says $verdict: fix that first, then analyse." \
            "make check-chapter ${number#0}${KERNEL:+ KERNEL=$KERNEL} says" \
            "where."
}

built=$(chapter_conf "$chapter" kind)
case $built in
timer | study)
    echo "Chapter ${number#0} is a $built: it has no kernel to analyse."
    echo "Its check says all there is: make check-chapter ${number#0}"
    exit 0
    ;;
esac
kernels=$("$BUILD/bin/analyze" kernels "$chapter" | cut -d ' ' -f 1)
[ -z "$KERNEL" ] || echo "$kernels" | grep -qxF -- "$KERNEL" ||
    die "chapter ${number#0} has no kernel $KERNEL that is timed. It has:" \
        "$(echo "$kernels" | paste -sd ' ' -)"
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
