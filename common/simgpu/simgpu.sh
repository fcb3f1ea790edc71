#!/bin/sh
# SPDX-License-Identifier: MIT
# simgpu [--gpu KEY] [--seed N] [--summary] [--registers N]
#        [--report FILE|json] [--suppress FILE] PROGRAM [ARGUMENT...]
# Runs a CUDA program on the simulated GPU; see common/simgpu/README.md.
# Exits with 99 if there are findings, else with the program's exit code.
set -eu

say() {
    printf 'simgpu: %s\n' "$1" >&2
}

usage() {
    say 'usage: simgpu [--gpu KEY] [--seed N] [--summary] [--registers N]'
    say '              [--report FILE|json] [--suppress FILE]'
    say '              PROGRAM [ARG...]'
    exit 2
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
    --) shift; break ;;
    -*) usage ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] || usage
command -v -- "$1" >/dev/null || {
    say "$1: no such program"
    exit 127
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
export LD_LIBRARY_PATH="$here/simgpu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# The device of each process writes "begun", and at its end the number of
# findings, to descriptor 3, and keeps that open until it ends, so the
# substitution waits until its report is complete.
status=0
exec 4>&1
words=$(SIMGPU_STATUS_FD=3 "$@" 3>&1 >&4 4>&-) || status=$?
exec 4>&-

# Says why the program used no simulated GPU, and which flag is missing.
say_why_none() # PROGRAM
{
    file=$(command -v -- "$1")
    asks=$(grep -ao 'libcudart\.so\.[0-9][0-9.]*' "$file" | head -n 1) || :
    ours=$(cd "$here/simgpu" && echo libcudart.so.*)
    if [ -z "$asks" ]; then
        say "no simulated GPU was used; was $1 linked with -cudart shared?"
    elif [ "$asks" != "$ours" ]; then
        say "no simulated GPU was used: $1 asks for $asks, and this simgpu was"
        say "built with the toolkit of $ours; make CUDA_HOME=... builds another"
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
