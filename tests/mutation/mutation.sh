#!/bin/sh
# SPDX-License-Identifier: MIT
# mutation.sh [FILE...]: how many mutants of the engine its tests notice.
#
# Of each FILE (those below, if none is named) MUTANTS are drawn by SEED. Each
# differs from the file in one operator, condition or statement (mutate.awk).
# It is compiled, linked with everything else as it is, and meets the quickest
# tests first: unit tests, the conformance programs, then the programs of
# tests/bugs, whose reports must be what they are without the change. The first
# that differs has noticed it. What does not compile, or compiles to the same
# code, is no mutant. Of a header, the files that include it are compiled.
#
#   MUTANTS=25   per file; SEED=1; JOBS: at a time, one per processor
#   OBJECTS, LIBS   the engine's, from the Makefile: make mutation
#
# It prints a score for each file, and names the survivors; those that
# `survivors` explains are said to be so. Fails below 90 of 100 of all mutants.
#
# The hard idea: the engine is a shared library here, so that a mutant costs
# one compilation and one link, and no test is linked anew.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
work=$build/mutation
CC=${CC:-gcc}
SEED=${SEED:-1}
MUTANTS=${MUTANTS:-25}
JOBS=${JOBS:-$(nproc)}
LIMIT=60 # seconds of processor time per test; an unchanged one takes a few
PATIENCE=900 # seconds by the clock, on a busy machine
# What is touched beyond its end, and not given back, ends a test: the mutant
# and the tests are under the sanitizers, the rest of the engine is not.
FLAGS="-std=c11 -D_GNU_SOURCE -O1 -w -fPIC -pthread -Icommon -Ichecker
    -fsanitize=address,bounds -fsanitize-undefined-trap-on-error"
UNIT="tree_test tree_wait_test tree_random_test cfg_test slots_test
    stream_order_test ledger_test ledger_page_test
    race_order_test race_flags_test race_fenced_test
    race_cluster_test race_proxy_test race_waits_test race_constant_test
    observers_test access_test async_test mbarrier_test bulk_test
    race_blocks_test steps_test
    engine_test engine_memory_test race_words_test"

watched() # the files whose score counts
{
    find common/simgpu/core/race common/simgpu/core/access -name '*.c' | sort
    echo common/simgpu/core/race/race_lanes.h
    for name in decode/cfg decode/slots decode/written exec/async \
        exec/control exec/tree exec/mbarrier exec/mbarrier_object; do
        echo "common/simgpu/core/$name.c"
    done
}

link_core() # OUTPUT OBJECT...
{
    output=$1
    shift
    $CC -shared -o "$output" "$@" -llz4 -lzstd -ldl -lm -pthread
}

# The tests, each linked once with the engine as a library.
prepare()
{
    rm -rf "$work"
    mkdir -p "$work/unit" "$work/base"
    # shellcheck disable=SC2086
    link_core "$work/base/libcore.so" $OBJECTS
    for object in $OBJECTS; do
        case $object in /*) ;; *) object=$PWD/$object ;; esac
        echo "$object"
    done >"$work/objects"
    for name in $UNIT; do
        [ -f "tests/unit/$name.c" ] || continue
        # shellcheck disable=SC2086
        $CC $FLAGS -o "$work/unit/$name" "tests/unit/$name.c" \
            -L"$work/base" -lcore -lcmocka -ldl -lm
    done
    # shellcheck disable=SC2046,SC2086
    $CC $FLAGS -o "$work/quick" tests/mutation/quick.c \
        $(grep -L 'int main' tests/simgpu/*.c) -L"$work/base" -lcore -ldl -lm
    mkdir -p "$work/root/bin" "$work/root/simgpu"
    # shellcheck disable=SC2086
    $CC $FLAGS -o "$work/root/bin/simgpu-device" \
        "$build"/o/common/simgpu/device/*.o \
        -L"$work/base" -lcore $LIBS
    cp "$build/bin/simgpu" "$work/root/bin/"
    cp "$build"/simgpu/libcudart.so.* "$work/root/simgpu/"
    sh tests/bugs/run.sh --build "$work/bugs"
}

each_bug() # COMMAND: with PROGRAM NAME, until it fails
{
    for program in bugs mended; do
        for name in $(cat "$work/bugs/names"); do
            "$@" "$program" "$name" || return
        done
    done
}

# What the device with this library says of a bug.
bug_report() # LIBRARY'S FOLDER PROGRAM NAME
{
    (
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -t $LIMIT
        # One worker: which of several comes first would change the words.
        export SIMGPU_WORKERS=1 ASAN_OPTIONS=detect_leaks=0
        LD_LIBRARY_PATH=$1 timeout $PATIENCE \
            "$work/root/bin/simgpu" "$work/bugs/$2" "$3" 2>&1
    ) || echo "exit $?"
}

keep_report() # PROGRAM NAME
{
    bug_report "$work/base" "$1" "$2" >"$work/base/$1-$2"
}

same_report() # LIBRARY'S FOLDER PROGRAM NAME
{
    bug_report "$1" "$2" "$3" | cmp -s - "$work/base/$2-$3"
}

passes() # LIBRARY'S FOLDER PROGRAM
{
    (
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -t $LIMIT
        LD_LIBRARY_PATH=$1 exec timeout $PATIENCE "$2"
    ) >"$1/out" 2>&1
}

base_passes()
{
    for program in "$work"/unit/* "$work/quick"; do
        passes "$work/base" "$program" || {
            cat "$work/base/out"
            echo "mutation: $program fails without a mutant" >&2
            exit 1
        }
    done
    each_bug keep_report
    each_bug same_report "$work/base" || {
        echo "mutation: a program of tests/bugs says other words each time" >&2
        exit 1
    }
}

# The objects of the engine that FILE is part of: a .c file's own, or for a
# header those of all files that include it, per vector width.
objects_of() # FILE
{
    case $1 in
    *.c) echo "$build/o/${1%.c}.o" ;;
    *.h) grep -rl "^#include \"\(.*/\)*${1##*/}\"" common/simgpu/core |
        grep '\.c$' | while read -r user; do
            grep -E "/${user%.c}(\.[a-z0-9]+)?\.o\$" "$work/objects"
        done ;;
    esac
}

# Compiles what FILE is part of, with SOURCE in its place, to FOLDER/1.o, 2.o,
# ... in the order of objects_of.
compile() # SOURCE FILE FOLDER
{
    home=${2%/*}
    mkdir -p "$3/include/${home#common/}"
    case $2 in *.h) cp "$1" "$3/include/${2#common/}" ;; esac
    n=0
    for object in $(objects_of "$2"); do
        n=$((n + 1))
        user=${object#"$build/o/"}
        user=${user%.o}
        isa=${user##*/}
        case $isa in *.*) isa=${isa#*.} user=${user%.*} ;; *) isa= ;; esac
        [ "$user.c" = "$2" ] && text=$1 || text=$user.c
        # shellcheck disable=SC2086
        $CC -I"$3/include" $FLAGS ${isa:+-DLANES_ISA=$isa} \
            -iquote "$3/include/${home#common/}" -iquote "${user%/*}" \
            -iquote "$home" -c -o "$3/$n.o" -x c - \
            <"$text" 2>/dev/null || return
    done
}

is_the_same() # FOLDER FOLDER: the objects in them
{
    for object in "$1"/*.o; do
        cmp -s "$object" "$2/${object##*/}" || return
    done
}

# The unit tests, the one named after FILE first.
nearest() # FILE
{
    own=${1##*/}
    own=${own%.*}_test
    echo "$own"
    for name in $UNIT; do
        [ "$name" = "$own" ] || echo "$name"
    done
}

# Who notices the mutant of FILE in FOLDER; nobody: nothing.
noticed_by() # FOLDER FILE
{
    for name in $(nearest "$2"); do
        [ -x "$work/unit/$name" ] || continue
        passes "$1" "$work/unit/$name" || { echo "$name"; return; }
    done
    passes "$1" "$work/quick" || { echo conformance; return; }
    each_bug same_report "$1" || echo bugs
}

# One mutant: `noticed FILE:LINE OLD -> NEW by TEST`, tab-separated; or
# survived; or none.
one() # NUMBER FILE LINE COLUMN OLD NEW
{
    folder=$work/$1
    mkdir -p "$folder"
    awk -v line="$3" -v column="$4" -v old="$5" -v new="$6" \
        -f tests/mutation/mutate.awk "$2" >"$folder/mutant.c"
    if ! compile "$folder/mutant.c" "$2" "$folder" ||
        is_the_same "$folder" "$work/same/$(echo "$2" | tr / _)"; then
        rm -rf "$folder"
        return
    fi
    objects_of "$2" >"$folder/replaced"
    # shellcheck disable=SC2046
    link_core "$folder/libcore.so" "$folder"/*.o \
        $(grep -vxf "$folder/replaced" "$work/objects")
    by=$(noticed_by "$folder" "$2")
    text=$(sed -n "$3{s/^ *//;p;}" "$2")
    printf '%s\t%s\t%s\t%s -> %s\t%s\t%s\n' "${by:+noticed}${by:-survived}" \
        "$2" "$3" "$5" "$6" "$text" "$by" |
        sed "s/^noticed$by/noticed/" >"$work/results/$1"
    rm -rf "$folder"
}

draw() # FILE: MUTANTS of its mutants and some more, as some are none
{
    awk -f tests/mutation/mutate.awk "$1" |
        awk -v seed="$SEED" 'BEGIN { x = seed + 12345 }
            { x = (x * 69069 + 1) % 4294967296; print x "\t" $0 }' |
        sort -n | head -n $((MUTANTS * 5 / 4)) | cut -f 2- |
        sed "s|^|$1	|"
}

if [ "${1-}" = --one ]; then
    shift
    one "$@"
    exit
fi

# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(watched)
prepare
base_passes
mkdir -p "$work/results" "$work/same"
for file; do
    compile "$file" "$file" "$work/same/$(echo "$file" | tr / _)"
done
for file; do draw "$file"; done >"$work/drawn"
awk -F '\t' -v OFS='\n' '{ print NR, $1, $2, $3, $4, $5 }' "$work/drawn" |
    tr '\n' '\0' |
    xargs -0 -n 6 -P "$JOBS" sh tests/mutation/mutation.sh --one
exec awk -f tests/mutation/score.awk tests/mutation/survivors \
    "$work"/results/*
