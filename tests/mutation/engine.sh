# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Part of mutation.sh: the engine as a library, with one file replaced or none,
# and the tests that are linked with it.
#   prepare               the tests, and the engine as it is, to $work
#   objects_of FILE       the engine's objects that FILE is part of
#   compile SOURCE FILE FOLDER FLAG...   those objects, from a mutant of FILE
#   link_core OUTPUT OBJECT...           the library
#   tests                 their names
#   run_test, same        one test, with the library of a folder
# $build and $work: folders; $OBJECTS and $LIBS: the engine's, for prepare.
# shellcheck disable=SC2154 # build, work and out are the caller's
CC=${CC:-gcc}
LIMIT=20 # seconds of processor time per test; an unchanged one takes 1 or 2
PATIENCE=120 # seconds by the clock; thrice that when it is tried again
# What is touched beyond its end, and not given back, ends a test: the mutant
# and the tests are under the sanitizers, the rest of the engine is not.
FLAGS="-std=c11 -D_GNU_SOURCE -O1 -w -fPIC -pthread -Icommon -Ichecker"
LOCKS="-Wl,--wrap=lock_take,--wrap=lock_leave,--wrap=lock_free"
SAN="-fsanitize=address,bounds -fsanitize-undefined-trap-on-error"
UNIT="tree_test tree_wait_test tree_leaf_test tree_random_test
    cfg_test slots_test
    stream_order_test ledger_test ledger_page_test
    race_order_test race_flags_test race_graph_test race_fenced_test
    race_rules_test race_polls_test race_turns_test
    race_cluster_test race_proxy_test race_waits_test race_constant_test
    written_test race_streams_test place_test place_heap_test race_met_test
    observers_test access_test async_test mbarrier_test bulk_test
    race_blocks_test race_lanes_test race_work_test steps_test
    engine_test engine_memory_test race_words_test"

key() # FILE: a name for a folder
{
    echo "$1" | tr / _
}

# The engine --------------------------------------------------------------

# Fails on a symbol that nobody defines, too.
link_core() # OUTPUT OBJECT...
{
    output=$1
    shift
    # shellcheck disable=SC2086
    $CC -shared -Wl,-z,defs $LOCKS $SAN -o "$output" "$@" "$work/locks.o" \
        -llz4 -lzstd -ldl -lm -pthread
}

# The objects of the engine that FILE is part of: a .c file's own, or for a
# header those of all files that include it, per vector width.
objects_of() # FILE
{
    case $1 in
    *.c) echo "${1%.c}.o" ;;
    *.h) (cd "$work/objects" && grep -rlF "${1#common/} " --include='*.d' \
        common/simgpu/core) | sed 's/\.d$/.o/' | grep "${WIDTH-}" | sort ;;
    esac
}

# Compiles what FILE is part of, with SOURCE in its place, to FOLDER/1.o, 2.o,
# ... in the order of objects_of.
compile() # SOURCE FILE FOLDER FLAG...
{
    source=$1
    file=$2
    folder=$3
    shift 3
    home=${file%/*}
    mkdir -p "$folder/include/${home#common/}"
    case $file in *.h) cp "$source" "$folder/include/${file#common/}" ;; esac
    n=0
    for object in $(objects_of "$file"); do
        n=$((n + 1))
        user=${object%.o}
        isa=${user##*/}
        case $isa in *.*) isa=${isa#*.} user=${user%.*} ;; *) isa= ;; esac
        text=$user.c
        [ "$text" != "$file" ] || text=$source
        # shellcheck disable=SC2086
        $CC -I"$folder/include" $FLAGS "$@" ${isa:+-DLANES_ISA=$isa} \
            -iquote "$folder/include/${home#common/}" -iquote "${user%/*}" \
            -iquote "$home" -c -o "$folder/$n.o" "$text" 2>/dev/null || return
    done
    [ $n -gt 0 ]
}

# The tests ---------------------------------------------------------------

# A test is unit/NAME, quick, bugs/NAME or mended/NAME. Writes $out.
run_test() # LIBRARY'S FOLDER TEST SECONDS BY THE CLOCK
{
    (
        case $2 in
        bugs/* | mended/*) set -- "$1" "$3" "$work/root/bin/simgpu" \
            "$work/bugs/${2%/*}" "${2#*/}" ;;
        *) set -- "$1" "$3" "$work/$2" ;;
        esac
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -t $LIMIT
        # One worker: which of several comes first would change the words.
        export SIMGPU_WORKERS=1 LD_LIBRARY_PATH="$1"
        seconds=$2
        shift 2
        case $1 in */bin/simgpu) export ASAN_OPTIONS=detect_leaks=0 ;; esac
        timeout "$seconds" "$@" >"$out" 2>&1 </dev/null
    ) 2>/dev/null
}

# Does the test say the same as without a mutant? A unit test says it by its
# exit code. 124: it was too slow.
same() # LIBRARY'S FOLDER TEST
{
    for seconds in $PATIENCE $((3 * PATIENCE)); do
        code=0
        run_test "$1" "$2" $seconds || code=$?
        case $2 in bugs/* | mended/*) echo "exit $code" >>"$out" ;; esac
        [ $code -eq 124 ] || break
    done
    [ $code -ne 124 ] || return 124
    case $2 in
    bugs/* | mended/*) cmp -s "$out" "$work/said/$2" ;;
    *) return $code ;;
    esac
}

tests()
{
    for name in $UNIT; do
        [ ! -x "$work/unit/$name" ] || echo "unit/$name"
    done
    echo quick
    for program in bugs mended; do
        sed "s|^|$program/|" "$work/bugs/names"
    done
}

# The tests, each linked once with the engine as a library.
prepare()
{
    rm -rf "$work"
    mkdir -p "$work/unit" "$work/base" "$work/cover" "$work/objects"
    for object in $OBJECTS; do
        case $object in /*) ;; *) object=$PWD/$object ;; esac
        name=${object#"$build/o/"}
        mkdir -p "$work/objects/${name%/*}"
        strip -g -o "$work/objects/$name" "$object"
        cp "${object%.o}.d" "$work/objects/${name%.o}.d"
        echo "$name"
    done >"$work/names"
    # shellcheck disable=SC2086
    $CC $FLAGS -c -o "$work/locks.o" tests/mutation/locks.c
    # shellcheck disable=SC2046
    link_core "$work/base/libcore.so" $(sed "s|^|$work/objects/|" "$work/names")
    for name in $UNIT; do
        [ -f "tests/unit/$name.c" ] || continue
        # shellcheck disable=SC2086
        $CC $FLAGS $SAN -o "$work/unit/$name" "tests/unit/$name.c" \
            -L"$work/base" -lcore -lcmocka -ldl -lm
    done
    # shellcheck disable=SC2046,SC2086
    $CC $FLAGS $SAN -o "$work/quick" tests/mutation/quick.c \
        $(grep -L 'int main' tests/simgpu/*.c) -L"$work/base" -lcore -ldl -lm
    mkdir -p "$work/root/bin" "$work/root/simgpu" "$work/said/bugs" \
        "$work/said/mended"
    # shellcheck disable=SC2086
    $CC $FLAGS $SAN -o "$work/root/bin/simgpu-device" \
        "$build"/o/common/simgpu/device/*.o \
        -L"$work/base" -lcore $LIBS
    cp "$build/bin/simgpu" "$work/root/bin/"
    cp "$build"/simgpu/libcudart.so.* "$work/root/simgpu/"
    sh tests/bugs/run.sh --build "$work/bugs" bugs
}

