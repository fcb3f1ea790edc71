#!/bin/sh
# SPDX-License-Identifier: MIT
# make profile, as TAP: on the simulated GPU and from a log as a GPU's events
# make it. All views have the same time in all, each launch counts once, and a
# log in which one counts twice is refused.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
unset BUILD MAKEFLAGS MFLAGS MAKELEVEL N DEVICE MODEL KERNEL SHAPE SRC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CUDA_HOME=${CUDA_HOME:-$(sh common/cli/find-cuda.sh)}
export CUDA_HOME

stages="kernels 05/forward 05/input_grad 05/weight_grad 24/adam
    24/swish_backward 24/rms_backward"
# shellcheck disable=SC2046,SC2059,SC2086  # words, in a format
make -s BUILD="$build" $(printf "$build/train/%s.so " $stages) \
    >"$work/made" 2>&1 || cat "$work/made"

record() # FOLDER PROGRAM...
{
    folder=$1
    mkdir -p "$folder"
    shift
    PROFILE_LOG=$folder/log TRAIN_BUILD=$build "$build/bin/simgpu" --summary \
        --report "$folder/report.json" env \
        LD_PRELOAD="$build/profile/record.so" "$@" >"$folder/said" 2>&1 ||
        cat "$folder/said"
}

views() # FOLDER REPORT
{
    "$build/bin/profile" "$1/log" "$2" common/profile/page.html "$1" \
        >"$1/tables" 2>"$1/errors"
}

all_views() # FOLDER REPORT: they have the same time in all
{
    views "$1" "$2" || {
        cat "$1/errors"
        return
    }
    jq -r '[.traceEvents[] | select(.ph == "X" and .pid == 1) | .dur] |
        add / 1000' "$1/trace.json" >"$1/sums"
    jq -r '.profiles[0].weights | add' "$1/speedscope.json" >>"$1/sums"
    sed -n 's/^const data = \(.*\);$/\1/p' "$1/profile.html" |
        jq -r '[.events[] | select(.[0] == 1) | .[6]] | add' >>"$1/sums"
    sed -n 's/^ *\([0-9.]*\) *of \([0-9.]*\) in all/\1 \2/p' "$1/tables" |
        tr ' ' '\n' >>"$1/sums"
    awk 'NR == 1 { whole = $1 }
        !($1 > 0 && $1 - whole < 1e-4 && whole - $1 < 1e-4) {
            print "a view has " $1 " ms of " whole }
        END { if (NR != 7) print NR " sums, not 7" }' "$1/sums"
}

on_the_simulated_gpu()
{
    record "$work/sim" "$build/bin/train" s4 conv=5 B=2 H=3 steps=3 graph=1
    all_views "$work/sim" "$work/sim/report.json"
    grep -q 'PREDICTED' "$work/sim/tables" || echo "it is not labelled"
    grep -q '^ .* 3 .* optimiser$' "$work/sim/tables" ||
        cat "$work/sim/tables"
    jq -e '.traceEvents[] | select(.args.phases == "backward;block" and
        .name == "rms_tiles" and .pid == 1)' "$work/sim/trace.json" \
        >"$work/found" || echo "rms_tiles has no phase"
    grep -q 'main main.c' "$work/sim/profile.html" ||
        echo "no call path begins in main"
}

a_stage()
{
    record "$work/stage" "$build/bin/launch-stage" \
        "$build/train/05/forward.so" dwconv_forward "B2 H3 L9 K4"
    all_views "$work/stage" "$work/stage/report.json"
    grep -q ' 1 .* stage$' "$work/stage/tables" || cat "$work/stage/tables"
}

# As make calls it: a kernel's figures come with its sizes.
a_chapter()
{
    mkdir -p "$work/build/stage/solution/05"
    for part in bin simgpu profile; do
        ln -s "$build/$part" "$work/build/$part"
    done
    cp "$build/train/05/forward.so" "$work/build/stage/solution/05/"
    BUILD=$work/build SRC=solution KERNEL=forward SHAPE='B2 H3 L9 K4' \
        DEVICE=sim sh common/cli/profile.sh profile 05 >"$work/said" 2>&1 ||
        cat "$work/said"
    grep -qx '== forward at B2 H3 L9 K4' "$work/said" || cat "$work/said"
}

refused() # REPORT WORDS: of the log in $work/bad
{
    views "$work/bad" "$1" && echo "it was accepted"
    grep -q "$2" "$work/bad/errors" || cat "$work/bad/errors"
    [ ! -e "$work/bad/trace.json" ] || echo "it has written files all the same"
}

# As by a recorder that sees a call, and the runtime's own call within it.
double_counting()
{
    mkdir -p "$work/bad"
    awk -F '\t' '{ print } $2 == "launch" && !done++' "$work/sim/log" \
        >"$work/bad/log"
    refused "$work/sim/report.json" 'the device ran'
    # As if what a graph records had run, too.
    awk -F '\t' -v OFS='\t' '$2 == "launch" { $6 = 0 } 1' "$work/sim/log" \
        >"$work/bad/log"
    refused "$work/sim/report.json" 'the device ran'
}

a_lost_launch()
{
    mkdir -p "$work/bad"
    awk -F '\t' '$2 != "launch" || lost++' "$work/sim/log" >"$work/bad/log"
    refused "$work/sim/report.json" 'the device ran'
}

# The simulated runtime has events, too: the recorder works as on a GPU.
by_events()
{
    mkdir -p "$work/events"
    PROFILE_EVENTS=1 PROFILE_LOG=$work/events/log TRAIN_BUILD=$build \
        "$build/bin/simgpu" env LD_PRELOAD="$build/profile/record.so" \
        "$build/bin/train" s4 conv=5 B=1 H=2 L=9 steps=3 graph=1 \
        >"$work/events/said" 2>&1 || cat "$work/events/said"
    all_views "$work/events" -
    for row in ' 2 .* cudaGraphLaunch$' ' 2 .* rms_tiles$'; do
        grep -q "$row" "$work/events/tables" || cat "$work/events/tables"
    done
}

log_of_a_gpu() # END: two launches and a copy; the second ends then
{
    printf 'call\tlaunch\tf\t1000\t3000\t0\ta\t0\t\n'
    printf 'call\tcopy\tcudaMemcpyAsync\t3000\t4000\t0\ta;b\t64\t\n'
    printf 'call\tlaunch\tg\t4000\t5000\t0\ta;b\t0\t\n'
    printf 'phase\t900\t5100\ta\n'
    printf 'span\t0\t0.5\t1.5\nspan\t1\t1.5\t1.75\nspan\t2\t1.75\t%s\n' "$1"
}

on_a_gpu()
{
    mkdir -p "$work/gpu" "$work/bad"
    log_of_a_gpu 2.5 >"$work/gpu/log"
    all_views "$work/gpu" -
    tr -s ' ' <"$work/gpu/tables" >"$work/gpu/squeezed"
    for row in '2.0000 100.0 3 0.0000 0.000 a' '1.0000 50.0 2 0.0000 0.000 b' \
        'the device.s time, measured'; do
        grep -q "$row\$" "$work/gpu/squeezed" || cat "$work/gpu/tables"
    done
    log_of_a_gpu 1.5 >"$work/bad/log"
    refused - 'ends before it begins'
}

no_network()
{
    ! grep -n 'https\{0,1\}:\|src=\|@import\|@DATA@' "$work/sim/profile.html"
}

quiet "a training step on the simulated GPU: one time in all views" \
    on_the_simulated_gpu
quiet "a stage" a_stage
quiet "a chapter's kernel is named with its sizes" a_chapter
quiet "a launch that counts twice is refused" double_counting
quiet "a launch that is lost is refused" a_lost_launch
quiet "from a GPU's events" on_a_gpu
quiet "by events around each launch, and around a graph" by_events
quiet "the page asks nobody for anything" no_network
plan
