#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs on a GPU what the simulated one runs: the programs of
# tests/simgpu-programs/ok and the mended halves of tests/bugs. A table of names
# and exit codes on standard output; fails if a code is not 0.
#
#   COMMIT=... sh tests/hardware/programs.sh FOLDER \
#       >tests/simgpu-programs/h200.txt
#
# FOLDER: for the compiled programs. COMMIT: of the checkout, if git cannot
# tell. JOBS: how many compile at a time. A program of the record that is not
# right here needs its reason above the table.
set -eu
cd "$(dirname "$0")/../.."
into=$1
jobs=${JOBS:-16}
cuda=$(sh common/cli/find-cuda.sh)
PATH=$cuda/bin:$PATH
LD_LIBRARY_PATH=$cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH into LD_LIBRARY_PATH

mkdir -p "$into/ok"
sh tests/bugs/run.sh --build "$into/bugs" >&2 &
for file in tests/simgpu-programs/ok/*.cu; do
    echo "ok/$(basename "$file" .cu)"
done | xargs -P "$jobs" -n 1 sh tests/simgpu-programs/run.sh --build \
    "$into/ok" >&2
wait

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
    head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
echo "# Name and exit code of each program of ok/, and of each mended program"
echo "# of tests/bugs, by tests/hardware/programs.sh."
echo "# $gpu, CUDA $toolkit, $(date -u +%Y-%m-%d)," \
    "commit ${COMMIT:-$(git rev-parse --short HEAD)}"

# shellcheck disable=SC2016 # the inner shell expands it
one='case $0 in
    bugs/*) set -- "$into/bugs/mended" "${0#bugs/}" ;;
    *) set -- "$into/$0" ;;
    esac
    rc=0
    timeout 60 "$@" >"$into/out.$$" 2>&1 || rc=$?
    [ "$rc" -eq 0 ] || sed "s|^|$0: |" "$into/out.$$" >&2
    rm -f "$into/out.$$"
    echo "$0 $rc"'
{
    for program in "$into"/ok/*; do
        echo "ok/$(basename "$program")"
    done
    sed 's|^|bugs/|' "$into/bugs/names"
} | xargs -P 8 -n 1 sh -c "$one" | LC_ALL=C sort | tee "$into/table"
! grep -qv ' 0$' "$into/table"
