#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SECONDS FOLDER [PART...]: which cheats pass on this machine's GPU, and
# what checking a chapter costs; see README. DEVICE=sim for a dry run.
set -u
limit=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- stages times cheats hollow technique others
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$PWD/build}
CHECK=$BUILD/bin/check
device=${DEVICE:-gpu}
chapters=${CHAPTERS:-5 7 8 9 13 15 18 21}
export BUILD CHECK
begun=$(date +%s)

left() { echo $((limit - $(date +%s) + begun)); }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
say() { echo "[$(($(date +%s) - begun)) s] $*" | tee -a "$out/log.txt"; }

# within MOST COMMAND...: ended after so many seconds, or when the time is over.
within()
{
    most=$1
    shift
    [ "$most" -lt "$(left)" ] || most=$(left)
    [ "$most" -gt 5 ] || return 1
    timeout -k 2 "$most" "$@" </dev/null
}

contexts()
{
    nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
    "$nvcc" -arch=native -o "$out/contexts" "$here/contexts.cu" \
        -L"${nvcc%/bin/nvcc}/lib64/stubs" -lcuda || return
    nvidia-smi -q | grep -E 'Persistence|Product Name'
    for n in 1 2; do echo "alone:$(within 20 "$out/contexts")"; done
    (
        exec 9</dev/nvidia0
        echo "a device file held open:$(within 20 "$out/contexts")"
    )
    "$out/contexts" 60 >"$out/holder.txt" &
    holder=$!
    sleep 2
    for n in 1 2; do
        echo "beside another context:$(within 20 "$out/contexts")"
    done
    a=$(milliseconds)
    kill -KILL $holder
    wait $holder 2>/dev/null
    echo "ended within $(($(milliseconds) - a)) ms"
    for n in 1 2 3 4; do
        echo "four at once:$(within 20 "$out/contexts")" &
    done
    wait
}

# What fences, sleeps and reading a clock cost: for the model.
costs()
{
    "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" -arch=native -o "$out/costs" \
        "$here/costs.cu" && within 20 "$out/costs"
}

# declares SUITE KEY PATTERN: the cases whose line `// KEY:` is such.
declares()
{
    for file in tests/"$1"/*.cu tests/"$1"/*.diff; do
        sed -n "/^\/\//!q; s|^// $2: *||p" "$file" 2>/dev/null |
            grep -Eq "$3" && basename "${file%.*}"
    done
}

# Those that were not ok in this folder before.
missing() # NAME...
{
    for name; do
        grep -qs "^ok [0-9]* - $name:" "$out"/*.tap || echo "$name"
    done
}

# untimed SUITE NAME...: compiled, several at a time.
untimed()
{
    suite=$1
    shift
    [ $# -gt 0 ] || return 0
    within 60 env ORIGINAL="$CHECK" CHECK="$here/untimed.sh" JOBS=14 LIMIT=40 \
        VERDICTS="$("$CHECK" --facts verdicts)" \
        sh tests/handins.sh "tests/$suite" "$device" "$@" \
        >"$out/untimed-$suite.txt" 2>&1
}

build()
{
    for n in 21 8 7 5 4 9 13 12; do
        within 60 "$CHECK" solution $n --device "$device" --draw 1 --seed 1 \
            --build "$BUILD" --root . --json "$out/drawn-$n.json" \
            >"$out/drawn-$n.txt" 2>&1 &
    done
    # shellcheck disable=SC2046 # names without blanks
    untimed cheats $(declares cheats device gpu)
    wait
}

chapters()
{
    for n in 13 13 5 5 9 9 8 8 21 21; do
        a=$(milliseconds)
        within 70 "$CHECK" solution $n --device "$device" --build "$BUILD" \
            --root . >"$out/chapter-$n.txt" 2>&1
        echo "chapter $n: code $?, $(($(milliseconds) - a)) ms" |
            tee -a "$out/times.txt"
    done
}

# All stages that the times need, so that nvcc is not among them.
stages()
{
    for n in 14 4 12 $chapters; do
        within 70 "$CHECK" solution $n --device "$device" --draw 1 --seed 1 \
            --build "$BUILD" --root . --json "$out/drawn-$n.json" \
            >"$out/drawn-$n.txt" 2>&1 &
    done
    wait
}

# Where each chapter's seconds go: with nothing remembered, and again.
take_times()
{
    export WARPBOOK_TIMES=1
    for round in first again; do
        for n in $chapters; do
            a=$(milliseconds)
            within 40 "$CHECK" solution $n --device "$device" \
                --build "$BUILD" --root . >"$out/times-$n-$round.txt" 2>&1
            echo "chapter $n, $round: code $?, $(($(milliseconds) - a)) ms" |
                tee -a "$out/times.txt"
        done
    done
    unset WARPBOOK_TIMES
}

# one_by_one SUITE NAME...: a result is there even if the time ends.
one_by_one()
{
    suite=$1
    shift
    for name; do
        a=$(milliseconds)
        within 45 env JOBS=1 LIMIT=40 sh tests/handins.sh "tests/$suite" \
            "$device" "$name" >>"$out/$suite.tap" 2>&1
        echo "# $name: $(($(milliseconds) - a)) ms" >>"$out/$suite.tap"
    done
}

# at_once JOBS SUITE NAME...
at_once()
{
    jobs=$1 suite=$2
    shift 2
    [ $# -eq 0 ] || within "$(left)" env JOBS="$jobs" LIMIT=100 \
        sh tests/handins.sh "tests/$suite" "$device" "$@" \
        >>"$out/$suite-at-once.tap" 2>&1
}

# shellcheck disable=SC2046 # names without blanks
part()
{
    case $1 in
    contexts) contexts >"$out/contexts.txt" 2>&1 ;;
    build) build ;;
    costs) costs >"$out/costs.txt" 2>&1 ;;
    stages) stages ;;
    times) take_times ;;
    chapters) chapters ;;
    cheats) one_by_one cheats $(missing $(declares cheats device gpu)) ;;
    hollow)
        set -- $(missing $(declares mutants expect '^SLOW'))
        untimed mutants "$@"
        one_by_one mutants "$@"
        ;;
    technique)
        at_once 4 mutants $(missing $(declares mutants expect '^TECHNIQUE'))
        ;;
    others) at_once 12 cheats $(missing $(declares cheats expect '^[A-OQ-Z]'))
        ;;
    *) say "what is $1?" ;;
    esac
}

for name; do
    [ "$(left)" -gt 6 ] || { say "no time for $name"; continue; }
    say "$name"
    part "$name"
done
say "end"
grep -hE '^(not )?ok ' "$out"/*.tap 2>/dev/null | cut -c -100
