#!/bin/sh
# SPDX-License-Identifier: MIT
# On a GPU: the programs that the simulated GPU runs, and clocks of atomics.
# README.md says what for.
#
#   sh tests/hardware/trials/instrument/run.sh SECONDS INTO
#
# SECONDS: no step begins after so many. INTO: a folder for what comes out.
# What `run.sh build` made in build/trials/instrument, without a GPU, is used if
# it is there; else nvcc compiles first.
set -u
cd "$(dirname "$0")/../../../.." || exit 1
bin=$PWD/build/trials/instrument
cuda=$(sh common/cli/find-cuda.sh)
PATH=$cuda/bin:$PATH
LD_LIBRARY_PATH=$cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH LD_LIBRARY_PATH
export REAL="${REAL:-90}"

build()
{
    mkdir -p "$bin"
    for name in atomics rates; do
        [ -x "$bin/$name" ] ||
            nvcc -O3 -cudart shared -o "$bin/$name" "tests/hardware/$name.cu" \
                -gencode "arch=compute_$REAL,code=sm_$REAL"
    done
    [ -x "$bin/programs/bugs/mended" ] ||
        sh tests/hardware/programs.sh build "$bin/programs"
}

if [ "${1-}" = build ]; then
    build
    exit
fi
[ $# -eq 2 ] || { echo "run.sh build, or: run.sh SECONDS INTO" >&2 && exit 2; }
begun=$(date +%s)
seconds=$1
into=$2
mkdir -p "$into"
left() { echo $((begun + seconds - $(date +%s))); }

step() # NAME MOST COMMAND...: its output to INTO/NAME
{
    name=$1
    most=$2
    shift 2
    [ "$(left)" -gt 5 ] || return
    [ "$(left)" -gt "$most" ] || most=$(left)
    rc=0
    timeout -k 2 "$most" "$@" >"$into/$name" 2>"$into/$name.log" || rc=$?
    echo "$name: exit code $rc, $(wc -l <"$into/$name") lines, $(left) s left"
}

build
PREBUILT=1
PATIENCE=15
export PREBUILT PATIENCE
step h200.txt 70 sh tests/hardware/programs.sh "$bin/programs"
grep -v '^#' "$into/h200.txt" | grep -v ' 0$'
step atomics-h200.csv 15 "$bin/atomics"
step rates-h200.csv 25 "$bin/rates"
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader \
    >"$into/gpu.txt"
