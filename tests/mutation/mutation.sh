#!/bin/sh
# SPDX-License-Identifier: MIT
# mutation.sh [FILE...]: how many mutants of the engine its tests notice.
#
# Of each FILE (those below, if none is named) MUTANTS are drawn by SEED. Each
# differs from the file in one operator, condition or statement (mutate.awk).
# It is compiled, linked with everything else as it is, and meets the tests
# that execute its line: unit tests, the conformance programs, then the programs
# of tests/bugs, whose reports must be what they are without the change. The
# first that differs has noticed it. What does not compile or link, or compiles
# to the same code, is no mutant. Of a header, the files that include it are
# compiled.
#
#   MUTANTS=25   per file; SEED=1; JOBS: at a time, one per processor
#   WIDTH=avx512   of a header: only the objects of this vector width, if that
#                  is the one that this processor's tests use
#   OBJECTS, LIBS   the engine's, from the Makefile: make mutation
#   SECONDS_MOST=450   no mutant is begun later than that, none by default; of
#                  each file the first ones are tried before the second ones
#   TABLE=PATH     all mutants as a table, tab-separated: noticed or survived,
#                  file, line, change, text, the test or a remark
#
# `mutation.sh --prepare` builds the tests and nothing else, and with PREPARED=1
# they are taken as they are. So another machine can run the mutants if it has
# gcc, gcov, the libraries of the tests, this folder at the same place, and
# build/mutation: it needs no nvcc, and nothing else of build/. A test that
# fails there without a mutant is left out, which is said.
#
# It prints a score for each file, and names the survivors; those that
# `survivors` explains are said to be so. Fails below 90 of 100 of all mutants.
#
# A test that needs too much processor time has noticed a mutant. One that is
# slow by the clock has not: it is tried again, and if it is slow then, too, the
# survivor is said to have been too slow.
#
# The hard idea: the engine is a shared library here, so that a mutant costs
# one compilation and one link, and no test is linked anew; and a build that
# counts lines (gcov) says in advance which tests can notice a mutant at all.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
work=$build/mutation
SEED=${SEED:-1}
MUTANTS=${MUTANTS:-25}
JOBS=${JOBS:-$(nproc)}
. tests/mutation/engine.sh

watched() # the files whose score counts
{
    find common/simgpu/core/race common/simgpu/core/access -name '*.c' | sort
    echo common/simgpu/core/race/race_lanes.h
    for name in decode/cfg decode/slots decode/written exec/async \
        exec/control exec/tree exec/mbarrier exec/mbarrier_object; do
        echo "common/simgpu/core/$name.c"
    done
}

# What an earlier run left beside the tests goes.
again()
{
    (cd "$work" && rm -rf results same tried times said cover [0-9]*)
    mkdir -p "$work/cover" "$work/said/bugs" "$work/said/mended"
}

# By as many at a time as there are jobs.
each() # --WHAT FILE...: WHAT of each line of the standard input
{
    what=$1
    shift
    xargs -P "$JOBS" -I '{}' sh tests/mutation/mutation.sh "$what" '{}' "$@"
}

# What a test says, and that it says it twice; and how long it takes.
base_one() # TEST
{
    out=$work/base/$(key "$1")
    code=0
    run_test "$work/base" "$1" $PATIENCE || code=$?
    case $1 in
    bugs/* | mended/*)
        echo "exit $code" >>"$out"
        cp "$out" "$work/said/$1" ;;
    esac
    begin=$(date +%s%N)
    # 127: there is no such program.
    { [ $code -ne 127 ] && same "$work/base" "$1"; } || {
        cat "$out"
        echo "mutation: $1 fails, or says other words each time" >&2
        [ -z "${PREPARED-}" ] || { echo "$1 is left out" >&2; exit 0; }
        exit 255
    }
    echo "$(($(date +%s%N) - begin)) $1" >"$work/times/$(key "$1")"
}

# The quickest first, unit tests before the others.
base_passes()
{
    mkdir -p "$work/times"
    tests | each --base
    cat "$work"/times/* | sort -n | cut -d ' ' -f 2 >"$work/quickest"
    {
        grep '^unit/' "$work/quickest"
        echo quick
        grep -v -e '^unit/' -e '^quick' "$work/quickest"
    } >"$work/order"
}

# Which tests execute which lines of the FILEs, as gcov says:
# cover/FILE has LINE TEST, in the order of the tests; cover/FILE.lines all
# lines that have code.
cover() # FILE...
{
    mkdir -p "$work/cover/o" "$work/cover/by"
    for file; do objects_of "$file"; done | sort -u >"$work/covered"
    n=0
    while read -r object; do
        n=$((n + 1))
        user=${object%.o}
        isa=${user##*/}
        case $isa in *.*) isa=${isa#*.} user=${user%.*} ;; *) isa= ;; esac
        # shellcheck disable=SC2086
        $CC $FLAGS -O0 --coverage ${isa:+-DLANES_ISA=$isa} \
            -c -o "$work/cover/o/$n.o" "$user.c"
    done <"$work/covered"
    # shellcheck disable=SC2086
    $CC $FLAGS -c -o "$work/cover/cover.o" tests/mutation/cover.c
    # shellcheck disable=SC2046
    link_core "$work/cover/libcore.so" --coverage "$work"/cover/o/*.o \
        "$work/cover/cover.o" \
        $(grep -vxf "$work/covered" "$work/names" | sed "s|^|$work/objects/|")
    executed "$work/cover/o" "$@" | cut -d ' ' -f 2,3 | sort -u |
        by_file .lines
    each --cover "$@" <"$work/order"
    while read -r test; do
        sed "s|\$| $test|" "$work/cover/by/$(key "$test")"
    done <"$work/order" | awk '$1' | cut -d ' ' -f 2- | by_file ""
    for file; do : >>"$work/cover/$(key "$file")"; done
}

by_file() # SUFFIX: lines FILE REST to cover/FILE
{
    awk -v to="$work/cover/" -v suffix="$1" '{
        gsub("/", "_", $1)
        name = to $1 suffix
        sub(/^[^ ]* /, "")
        print >name
    }'
}

# A folder of its own for the counts of each test.
cover_one() # TEST FILE...
{
    test=$1
    shift
    folder=$work/cover/$(key "$test").run
    out=$folder/out
    mkdir -p "$folder"
    ln -s "$work"/cover/o/*.gcno "$folder"
    (
        export GCOV_PREFIX="$folder" GCOV_PREFIX_STRIP=99
        run_test "$work/cover" "$test" $PATIENCE
    ) || true
    executed "$folder" "$@" >"$work/cover/by/$(key "$test")"
    rm -rf "$folder"
}

executed() # FOLDER FILE...: 1 or 0, FILE LINE, by the counts in the folder
{
    folder=$1
    shift
    gcov -t "$folder"/*.gcno 2>/dev/null | awk -F : -v files="$*" '
        BEGIN {
            n = split(files, file, " ")
            for (k = 1; k <= n; k++)
                is_one[file[k]] = 1
        }
        $2 + 0 == 0 { if ($3 == "Source") now = $4; next }
        now in is_one && $1 !~ /-$/ { print $1 !~ /[#=]$/, now, $2 + 0 }'
}

# Mutants -----------------------------------------------------------------

is_the_same() # FOLDER FOLDER: the objects in them
{
    for object in "$1"/*.o; do
        cmp -s "$object" "$2/${object##*/}" || return
    done
}

# The tests that execute a line, the one named after FILE first. A line
# without code of its own belongs to a statement that begins above.
reached_by() # FILE LINE
{
    own=${1##*/}
    awk -v line="$2" -v own="unit/${own%.*}_test" '
        FILENAME == ARGV[1] { if ($1 <= line && $1 > at) at = $1; next }
        $1 == at && $2 == own { print own; found = 1 }
        $1 == at && $2 != own { rest = rest $2 "\n" }
        END { printf "%s", rest }' \
        "$work/cover/$(key "$1").lines" "$work/cover/$(key "$1")" |
        awk '!seen[$0]++'
}

# Who notices the mutant in FOLDER: noticed TAB TEST; or survived TAB remark.
noticed_by() # FOLDER FILE LINE
{
    slow=
    n=0
    out=$1/out
    for test in $(reached_by "$2" "$3"); do
        n=$((n + 1))
        same "$1" "$test" && code=0 || code=$?
        case $code in
        0) ;;
        124) slow=" (too slow by the clock: $test)" ;;
        *) printf 'noticed\t%s\n' "$test"; return ;;
        esac
    done
    printf 'survived\t%s tests execute it%s\n' "$n" "$slow"
}

is_late()
{
    [ -n "${DEADLINE-}" ] && [ "$(date +%s)" -ge "$DEADLINE" ]
}

# One mutant: `noticed FILE LINE CHANGE TEXT TEST`, tab-separated; or survived,
# with a remark in place of the test; or nothing.
one() # NUMBER FILE LINE COLUMN OLD NEW
{
    ! is_late || return 0
    echo >"$work/tried/$1"
    folder=$work/$1
    mkdir -p "$folder"
    awk -v line="$3" -v column="$4" -v old="$5" -v new="$6" \
        -f tests/mutation/mutate.awk "$2" >"$folder/mutant.c"
    if ! compile "$folder/mutant.c" "$2" "$folder" $SAN ||
        is_the_same "$folder" "$work/same/$(key "$2")"; then
        rm -rf "$folder"
        return
    fi
    objects_of "$2" >"$folder/replaced"
    # shellcheck disable=SC2046
    link_core "$folder/libcore.so" "$folder"/*.o \
        $(grep -vxf "$folder/replaced" "$work/names" |
            sed "s|^|$work/objects/|") 2>/dev/null || {
        rm -rf "$folder"
        return
    }
    noticed_by "$folder" "$2" "$3" >"$folder/by" 2>/dev/null
    text=$(sed -n "$3{s/^ *//;p;}" "$2")
    awk -F '\t' -v OFS='\t' -v file="$2" -v line="$3" \
        -v change="$5 -> $6" -v text="$text" \
        '{ print $1, file, line, change, text, $2 }' "$folder/by" \
        >"$work/results/$1"
    rm -rf "$folder"
}

draw() # FILE: MUTANTS of its mutants and some more, as some are none
{
    awk -f tests/mutation/mutate.awk "$1" |
        awk -v seed="$SEED" 'BEGIN { x = seed + 12345 }
            { x = (x * 69069 + 1) % 4294967296; printf "%.0f\t%s\n", x, $0 }' |
        sort -n | head -n $((MUTANTS * 5 / 4)) | cut -f 2- |
        awk -v OFS='\t' -v file="$1" '{ print NR, file, $0 }'
}

# All that were drawn, in turns of one per file.
run_mutants() # FILE...
{
    mkdir -p "$work/results" "$work/same" "$work/tried"
    for file; do
        compile "$file" "$file" "$work/same/$(key "$file")" $SAN
    done
    for file; do draw "$file"; done | sort -n -s -k 1,1 | cut -f 2- \
        >"$work/drawn"
    awk -F '\t' -v OFS='\n' '{ print NR, $1, $2, $3, $4, $5 }' "$work/drawn" |
        tr '\n' '\0' |
        xargs -0 -n 6 -P "$JOBS" sh tests/mutation/mutation.sh --one
}

case ${1-} in
--one) shift; one "$@"; exit ;;
--base) shift; base_one "$@"; exit ;;
--cover) shift; cover_one "$@"; exit ;;
--prepare) prepare; exit ;;
esac

# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(watched)
[ -z "${SECONDS_MOST-}" ] || DEADLINE=$(($(date +%s) + SECONDS_MOST))
export DEADLINE
if [ -n "${PREPARED-}" ]; then again; else prepare; fi
base_passes
cover "$@"
run_mutants "$@"
find "$work/results" -type f -exec cat '{}' + | sort >"$work/table"
[ -z "${TABLE-}" ] || cp "$work/table" "$TABLE"
echo "$(find "$work/tried" -type f | wc -l) of $(wc -l <"$work/drawn") tried"
exec awk -f tests/mutation/score.awk tests/mutation/survivors "$work/table"
