#!/bin/sh
# SPDX-License-Identifier: MIT
# simgpu [--gpu KEY] [--seed N] [--summary] [--registers N]
#        [--report FILE|json] [--suppress FILE] PROGRAM [ARGUMENT...]
# Runs a CUDA program on the simulated GPU; see common/simgpu/README.md.
# Exits with 99 if there are findings, else with the program's exit code; if
# that is 0 and the program could not reach the simulated GPU, with 2.
set -eu

say() {
    printf 'simgpu: %s\n' "$1" >&2
}

usage() {
    say 'usage: simgpu [--gpu KEY] [--seed N] [--summary] [--registers N]'
    say '              [--report FILE|json] [--suppress FILE]'
    say '              PROGRAM [ARG...]'
    say 'simgpu --help says what these mean'
    exit 2
}

help() {
    cat <<'EOF'
simgpu [OPTION...] PROGRAM [ARGUMENT...]
Runs a CUDA program on a simulated GPU, and says what its kernels did wrong.

  --gpu KEY         h200 (default), h100, a100, t4, rtx4090 or p100
  --seed N          shuffles blocks and warps; 0: natural order
  --summary         kernel by kernel: predicted time, occupancy, counts
  --registers N     registers per thread, for occupancy
  --report FILE     everything as JSON; json: to standard output
  --suppress FILE   known findings, which are left out

Build the program like this, with -cudart shared where it is linked, too:
  nvcc -cudart shared -lineinfo -g \
      -gencode arch=compute_90,code=compute_90 -o program program.cu

Exit code: the program's; 99 if there are findings; 2 if an option is wrong, or
if the program ended with 0 and could not reach the simulated GPU.
EOF
    exit 0
}

# Why there is no such program, and what may have been meant.
no_program() # PROGRAM
{
    case $1 in
    *.cu | *.cpp | *.c) [ ! -f "$1" ] || {
        say "$1 is a source file: build it first (simgpu --help says how)"
        exit 127
    } ;;
    esac
    if [ -f "$1" ] && [ -x "$1" ]; then
        say "$1: no such program on the PATH; did you mean ./$1?"
    elif [ -f "$1" ]; then
        say "$1: not a program that can be run"
    else
        say "$1: no such program"
    fi
    exit 127
}

while [ $# -gt 0 ]; do
    case $1 in
    --gpu | --seed | --report | --registers | --suppress)
        [ $# -ge 2 ] || usage
        ;;
    esac
    case $1 in
    --gpu) export SIMGPU_GPU="$2"; shift 2 ;;
    --seed) export SIMGPU_SEED="$2"; shift 2 ;;
    --registers) export SIMGPU_REGISTERS="$2"; shift 2 ;;
    --summary) export SIMGPU_SUMMARY=1; shift ;;
    --suppress)
        case $2 in
        /*) export SIMGPU_SUPPRESS="$2" ;;
        *) export SIMGPU_SUPPRESS="$PWD/$2" ;;
        esac
        shift 2
        ;;
    --report)
        case $2 in
        json)
            json=$(mktemp)
            trap 'rm -f "$json"' EXIT
            export SIMGPU_REPORT="$json"
            ;;
        /*) export SIMGPU_REPORT="$2" ;;
        *) export SIMGPU_REPORT="$PWD/$2" ;;
        esac
        shift 2
        ;;
    --help | -h) help ;;
    --) shift; break ;;
    -*) usage ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] || usage
file=$(command -v -- "$1") || no_program "$1"
[ ! -f "$file" ] || [ -x "$file" ] || no_program "$1"

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
"$here/bin/simgpu-device" --try || exit 2
export LD_LIBRARY_PATH="$here/simgpu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# The device of each process writes "begun", and at its end the number of
# findings, to descriptor 3, and keeps that open until it ends, so the
# substitution waits until its report is complete.
status=0
exec 4>&1
words=$(SIMGPU_STATUS_FD=3 "$@" 3>&1 >&4 4>&-) || status=$?
exec 4>&-

# Says why the program used no simulated GPU, and which flag is missing. If its
# CUDA calls cannot have reached one, its exit code is not 0.
say_why_none() # PROGRAM
{
    asks=$(grep -ao 'libcudart\.so\.[0-9][0-9.]*' "$file" | head -n 1) || :
    ours=$(cd "$here/simgpu" && echo libcudart.so.*)
    if [ -z "$asks" ]; then
        say "no simulated GPU was used; was $1 linked with -cudart shared?"
        grep -aqF .nv_fatbin "$file" || return 0
        say 'The command that links needs it; CMake takes'
        say '-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared'
        [ "$status" != 0 ] || status=2
    elif [ "$asks" != "$ours" ]; then
        say "no simulated GPU was used: $1 asks for $asks, and this simgpu was"
        say "built with the toolkit of $ours; make CUDA_HOME=... builds another"
        [ "$status" != 0 ] || status=2
    else
        say "no simulated GPU was used: what is above says why, or $1 called"
        say "nothing of CUDA's runtime"
    fi
}

[ -n "$words" ] || say_why_none "$1"
[ -z "${json:-}" ] || cat "$json"
under_way=0 found=0
for word in $words; do
    case $word in
    begun) under_way=$((under_way + 1)) ;;
    0) under_way=$((under_way - 1)) ;;
    *) under_way=$((under_way - 1)) found=1 ;;
    esac
done
[ "$under_way" = 0 ] || {
    say "the simulated GPU ended before its report: an error of the simulator,"
    say "not of $1"
}
[ "$found" = 0 ] || exit 99
[ "$under_way" = 0 ] || [ "$status" != 0 ] || status=1
exit "$status"
