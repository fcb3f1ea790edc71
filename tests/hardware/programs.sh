#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs on a GPU what the simulated one runs: the programs of
# tests/simgpu-programs/ok and the mended halves of tests/bugs. A table of names
# and exit codes on standard output; fails if a code is not 0.
#
#   REAL=90 COMMIT=... sh tests/hardware/programs.sh FOLDER \
#       >tests/simgpu-programs/h200.txt
#
# FOLDER: for the compiled programs. `programs.sh build FOLDER` only compiles
# them, which needs no GPU; with PREBUILT=1 they are there already. REAL: the
# GPU's compute capability; without it, programs are PTX. COMMIT: of the
# checkout, if git cannot tell. JOBS: how many compile at a time. PATIENCE:
# seconds for each program. A program of the record that is not right here needs
# its reason above the table.
#
# programs.sh one NAME..., batch NAME...: a part of the table. A mended program
# takes several names, so that a context is made for a dozen of them; if one is
# not right, each gets a context of its own.
set -eu
cd "$(dirname "$0")/../.."
self=tests/hardware/programs.sh
what=all
case $1 in build | one | batch) what=$1 && shift ;; esac
[ "$what" = one ] || [ "$what" = batch ] || into=$1
jobs=${JOBS:-16}
patience=${PATIENCE:-20}
cuda=$(sh common/cli/find-cuda.sh)
PATH=$cuda/bin:$PATH
LD_LIBRARY_PATH=$cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH LD_LIBRARY_PATH into patience

one() # NAME
{
    rc=0
    case $1 in
    bugs/*) set -- "$1" "$into/bugs/mended" "${1#bugs/}" ;;
    *) set -- "$1" "$into/$1" ;;
    esac
    name=$1
    shift
    timeout -k 2 "$patience" "$@" >"$into/out.$$" 2>&1 || rc=$?
    [ "$rc" -eq 0 ] || sed "s|^|$name: |" "$into/out.$$" >&2
    rm -f "$into/out.$$"
    echo "$name $rc"
}

case $what in
one)
    one "$1"
    exit
    ;;
batch)
    if timeout -k 2 "$patience" "$into/bugs/mended" "$@" >/dev/null 2>&1; then
        printf 'bugs/%s 0\n' "$@"
    else
        for name; do one "bugs/$name"; done
    fi
    exit
    ;;
esac

if [ -z "${PREBUILT-}" ]; then
    mkdir -p "$into/ok"
    sh tests/bugs/run.sh --build "$into/bugs" >&2 &
    for file in tests/simgpu-programs/ok/*.cu; do
        echo "ok/$(basename "$file" .cu)"
    done | xargs -P "$jobs" -n 1 sh tests/simgpu-programs/run.sh --build \
        "$into/ok" >&2
    wait
fi
[ "$what" = all ] || exit 0

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
    head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
echo "# Name and exit code of each program of ok/, and of each mended program"
echo "# of tests/bugs, by tests/hardware/programs.sh."
echo "# $gpu, CUDA $toolkit, $(date -u +%Y-%m-%d)," \
    "commit ${COMMIT:-$(git rev-parse --short HEAD)}"

{
    xargs -P 8 -n 12 sh "$self" batch <"$into/bugs/names" &
    for program in "$into"/ok/*; do
        echo "ok/$(basename "$program")"
    done | xargs -P 8 -n 1 sh "$self" one
    wait
} | LC_ALL=C sort | tee "$into/table"
! grep -qv ' 0$' "$into/table"
