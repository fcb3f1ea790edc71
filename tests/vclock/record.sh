#!/bin/sh
# SPDX-License-Identifier: MIT
# record.sh BUILD [NVCC]: prints what wrong timers measure on this machine's
# GPU, as lines `NAME MS`. Each is a mutant of tests/mutants, run on the trap
# that catches it.
# Lesson 02 quotes the result:
#
#   sh tests/vclock/record.sh build | build/bin/bench-results values \
#       book/results/GPU/timers.json gpu=... driver=... toolkit=... date=... \
#       commit=... command="sh tests/vclock/record.sh"
set -eu
build=$1
nvcc=${2:-nvcc}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

built() # MUTANT
{
    mkdir -p "$work/$1"
    sh "$root/tests/handins.sh" --hand-in "$root/tests/mutants/timer_$1.c" \
        "$work/$1"
    "$nvcc" -cudart shared -shared -Xcompiler -fPIC,-fvisibility=hidden \
        -I "$root/common/op" -I "$root/common" -o "$work/$1.so" \
        "$work/$1/timer.c"
}

play() # TIMER.so FIELD=VALUE...: the timer's answer in ms
{
    timer=$1
    shift
    "$build/bin/stopwatch" "$work/said" "$build/harness/spin.so" "$timer" 1 \
        warm=1 alike=1 ramp=1 input_bytes=1048576 seed=5 "$@" &&
        cut -d ' ' -f 1 "$work/said"
}

trap_of() # NAME MUTANT US FIELD=VALUE...
{
    name=$1
    mutant=$2
    us=$3
    shift 3
    built "$mutant"
    said=$(play "$work/$mutant.so" "kernel_us=$us" "$@")
    case $* in
    *warm=0*) truth=$(play - "kernel_us=$us" "$@") ;; # depends on this GPU
    *) truth=$(echo "$us" | awk '{ print $1 / 1000 }') ;;
    esac
    printf 'timer_%s_truth_ms %s\ntimer_%s_said_ms %s\n' \
        "$name" "$truth" "$name" "$said"
}

trap_of async no_sync 3000
trap_of first_launch first_launch 2000 first_us=40000
trap_of one_launch one_iteration 1000 spread=0.3
trap_of outliers mean 1000 outlier_every=32 outlier_times=30
trap_of short_kernel wall_clock 40
trap_of warm_cache warm_l2 2000 warm=0.4 input_bytes=8388608
trap_of all_alike times_zeros 1000 alike=0.85
trap_of clock_ramp warms_up_by_count 1000 ramp=1.5 ramp_ms=2000
