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
# run.sh [NAME...]: those, or all. BUILD: where the programs are. SEEDS="0 7"
# WORKERS="0": every program under each of these seeds, with so many workers (0:
# one per core).
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

names()
{
    for file in "$folder"/*.cu; do
        name=$(basename "$file" .cu)
        [ "$only" = "  " ] || case $only in *" $name "*) ;; *) continue ;; esac
        since=$(sed -n 's|^// since: ||p' "$file")
        [ "${since:-0}" -le "$toolkit" ] || continue
        echo "$name"
    done
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

# A report as lines KIND:LINE, one per finding; "-" for a race's other access.
# With "notes" the same of notes, which are no findings.
findings() # REPORT [notes]
{
    awk -v notes="${2-}" '
        /^=+ [a-z_]+ in .*, (block|stream) / {
            asked = ($2 == "equal_writes") == (notes != "")
        }
        /^=+ [a-z_]+ in .*, block / { kind = $2; at = 1; next }
        !asked { next }
        / in .*, stream / { kind = $2; sub(/^.* in /, ""); sub(/,.*/, "")
            print kind ":" $0 }
        at && /^=+     at / || /^=+     against / {
            if (!match($0, /\.cu:[0-9]+/))
                next
            line = substr($0, RSTART + 4, RLENGTH - 4)
            print (at ? kind : "-") ":" line
            at = 0
        }' "$1" | sort -u
}

marks() # FILE [notes]: the same lines, from the file's marks
{
    sed -n "/\\/\\/ ${2:-finds}: /{=;s|.*// ${2:-finds}: ||;p;}" "$1" |
        paste - - |
        awk '{ at = $1; kind = $2; if (sub(/^.* in /, "")) at = $0
            print kind ":" at }'
}

# A race may be reported at either access; and a word that is read too early may
# be reported as uninitialised.
found() # NAME SEED WORKERS
{
    file=$folder/$1.cu
    SIMGPU_WORKERS=$3 "$build/bin/simgpu" --seed "$2" "$work/bugs" "$1" \
        >"$work/out" 2>"$work/log"
    status=$?
    now="seed $2, workers $3"
    findings "$work/log" >"$work/found"
    marks "$file" >"$work/marks"
    [ "$status" -eq 99 ] || echo "exit code $status, not 99"
    while IFS=: read -r kind line; do
        grep -q "^$kind:" "$work/found" &&
            grep -q ":$line\$" "$work/found" ||
            echo "$now: not found: $kind in line $line"
    done <"$work/marks"
    grep -n -e '// finds: ' -e '// against' "$file" | sed 's/:.*//' \
        >"$work/lines"
    cut -d: -f2 "$work/marks" >>"$work/lines"
    sed '/^race:/s/.*/&\nuninitialised:/' "$work/marks" >"$work/kinds"
    while IFS=: read -r kind line; do
        grep -qx "$line" "$work/lines" || echo "$now: $kind in line $line?"
        [ "$kind" = - ] || grep -q "^$kind:" "$work/kinds" ||
            echo "$now: $kind?"
    done <"$work/found"
    marks "$file" notes | cut -d: -f2 >>"$work/lines"
    findings "$work/log" notes | grep -v '^-' >"$work/noted"
    while IFS=: read -r kind line; do
        grep -qx "$line" "$work/lines" || echo "$now: $kind in line $line?"
    done <"$work/noted"
}

noted() # NAME: how its marks (<) and the notes in the log (>) differ
{
    marks "$folder/$1.cu" notes | sort >"$work/marks"
    findings "$work/log" notes | grep -v '^-' | diff "$work/marks" -
}

clean() # NAME SEED WORKERS
{
    SIMGPU_WORKERS=$3 "$build/bin/simgpu" --seed "$2" "$work/mended" "$1" \
        >"$work/out" 2>"$work/log" ||
        echo "mended, seed $2, workers $3: exit code $?"
    findings "$work/log" >"$work/found"
    [ ! -s "$work/found" ] || cat "$work/log"
    cat "$work/out"
    grep -v '^=========' "$work/log"
    noted "$1"
}

both() # NAME
{
    for seed in ${SEEDS:-0 7}; do
        for workers in ${WORKERS:-0}; do
            case $1 in honest_*) ;; *) found "$1" "$seed" "$workers" ;; esac
            clean "$1" "$seed" "$workers"
        done
    done
}

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
plan
