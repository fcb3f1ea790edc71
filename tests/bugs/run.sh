#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels with one bug each, and fixed versions of them; prints TAP.
#
# "// finds: KIND" marks the line where the report must place the bug, and
# "// against" the line of a race's other access; "// finds: race in memset"
# stands for work without a line: a copy, a memset, a free. Every finding must
# match such a line, and every such line must have a finding, in any order of
# blocks and warps. The fixed version (MENDED) must end with 0 and without a
# finding, and so must honest_NAME, which has no bug. Their notes must be those
# of the lines marked "// notes: KIND"; the buggy version may have notes in
# marked lines of any kind. A marked statement must fit on one line, because
# CUDA 11 gives that line to all its loads.
# A line "// since: 12" names the oldest toolkit that can build it.
# Every program runs under three seeds, with one worker or two by turns.
# run.sh [NAME...]: those, or all. BUILD: where the programs are. SEEDS="0 7"
# WORKERS="1 0": every program under each of these seeds, with each of so many
# workers (0: one per core).
# run.sh --build FOLDER [bugs]: only the mended program, and the names it
# takes; bugs: the other program, too. REAL: any value: to machine code, and not
# to PTX.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh

build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
toolkit=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\).*/\1/p')
arch=compute_90a # multicast warns without the a
[ "$toolkit" -ge 12 ] || arch=compute_90
code=$arch
[ -z "${REAL-}" ] || code=sm_${arch#compute_}
folder=$PWD/tests/bugs
only=" $* "
if [ "${1-}" = --build ]; then
    only="  "
    into=$2
    too=${3-}
    work=$into
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

# One process reads all files: for one alone it would take longer than simgpu.
names()
{
    set --
    for file in "$folder"/*.cu; do
        name=${file##*/}
        case $only in "  " | *" ${name%.cu} "*) set -- "$@" "$file" ;; esac
    done
    [ $# -eq 0 ] || awk -v toolkit="$toolkit" '
        function tell() { if (name != "" && since <= toolkit) print name }
        FNR == 1 { tell(); since = 0; name = FILENAME
            sub(/.*\//, "", name); sub(/\.cu$/, "", name) }
        sub(/^\/\/ since: /, "") { since = $1 + 0 }
        END { tell() }' "$@"
}

# All kernels are in one program, because nvcc takes most of the time. It takes
# one name or several. Without simgpu nobody reports a launch that failed, so
# the mended program ends there.
program_text()
{
    printf '#include <assert.h>\n#include <string.h>\n#include "%s/bug.h"\n' \
        "$folder"
    for name in $(names); do
        printf 'namespace %s {\n#include "%s/%s.cu"\n}\n' "$name" "$folder" \
            "$name"
    done
    printf 'static void run(const char *name)\n{\n'
    for name in $(names); do
        printf '    if (!strcmp(name, "%s")) %s::run();\n' "$name" "$name"
    done
    printf '#ifdef MENDED\n    CUDA(cudaGetLastError());\n'
    printf '    CUDA(cudaDeviceSynchronize());\n#endif\n}\n'
    printf 'int main(int argc, char **argv)\n{\n'
    printf '    for (int i = 1; i < argc; i++)\n        run(argv[i]);\n}\n'
}

compile() # PROGRAM [FLAG]
{
    program=$1
    shift
    "$nvcc" -cudart shared -lineinfo -gencode "arch=$arch,code=$code" \
        "$@" -o "$work/$program" "$work/all.cu"
}

# A bug's report must name what the file's marks name, and nothing else.
found() # NAME SEED WORKERS
{
    SIMGPU_WORKERS=$3 "$build/bin/simgpu" --seed "$2" "$work/bugs" "$1" \
        >"$work/out" 2>"$work/log"
    status=$?
    [ "$status" -eq 99 ] || echo "exit code $status, not 99"
    judge "$folder/$1.cu" now="seed $2, workers $3"
}

clean() # NAME SEED WORKERS
{
    SIMGPU_WORKERS=$3 "$build/bin/simgpu" --seed "$2" "$work/mended" "$1" \
        >"$work/out" 2>"$work/log" ||
        echo "mended, seed $2, workers $3: exit code $?"
    [ ! -s "$work/out" ] || cat "$work/out"
    judge "$folder/$1.cu" mended=1
}

judge() # FILE VARIABLE
{
    awk -v "$2" -f "$folder/judge.awk" "$1" "$work/log"
}

# Marks changed by SED-SCRIPT do not fit the report in the log; the complaint
# has TEXT.
misfit() # FILE SED-SCRIPT TEXT [VARIABLE]
{
    sed "$2" "$1" >"$work/changed.cu"
    judge "$work/changed.cu" "${4-now=now}" >"$work/said"
    grep -q -- "$3" "$work/said" || echo "unseen: $2"
}

misfits_are_seen()
{
    file=$folder/blocks_raise_one_flag.cu # marks a race, and a note
    found blocks_raise_one_flag 0 0
    line=$(sed -n '/finds: /=' "$file")
    misfit "$file" 's/finds: .*//' "now: race in line $line?"
    misfit "$file" 's/finds: race/finds: stack/' 'now: not found: stack'
    misfit "$file" 's/finds: race/finds: stack/' 'now: race?'
    misfit "$file" '1s/^/\n/' "now: not found: race in line $((line + 1))"
    misfit "$file" '' '^========= race in ' mended=1
    clean blocks_raise_one_flag 0 0
    misfit "$file" 's/notes: .*//' 'a note that no mark asks for' mended=1
    misfit "$file" '1s|^|// notes: stack\n|' 'no note: stack' mended=1
}

both() # NAME
{
    for run in $runs; do
        seed=${run%:*} workers=${run#*:}
        case $1 in honest_*) ;; *) found "$1" "$seed" "$workers" ;; esac
        clean "$1" "$seed" "$workers"
    done
}

runs= # SEED:WORKERS
for seed in ${SEEDS-}; do
    for workers in ${WORKERS:-0}; do
        runs="$runs $seed:$workers"
    done
done
[ -n "$runs" ] || runs="0:1 7:2 12345:1"

program_text >"$work/all.cu"
if [ -n "${into-}" ]; then
    names >"$work/names"
    compile mended -DMENDED && { [ -z "$too" ] || compile "$too"; }
    exit
fi
compile bugs >"$work/bugs.log" 2>&1 &
compile mended -DMENDED >"$work/mended.log" 2>&1
wait
quiet "the programs compile" cat "$work/bugs.log" "$work/mended.log"
for name in $(names); do
    quiet "$name" both "$name"
done
[ "$only" != "  " ] ||
    quiet "marks that do not fit a report are seen" misfits_are_seen
plan
