#!/bin/sh
# SPDX-License-Identifier: MIT
# simgpu [--gpu KEY] [--seed N] [--report FILE] PROGRAM [ARGUMENT...]
# Runs a CUDA program on the simulated GPU; see common/simgpu/README.md.
# Exits with 99 where the GPU has something to report, else as the program.
set -eu

say() {
    printf 'simgpu: %s\n' "$1" >&2
}

usage() {
    say 'usage: simgpu [--gpu KEY] [--seed N] [--report FILE] PROGRAM [ARG...]'
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --gpu | --seed | --report) [ $# -ge 2 ] || usage ;;
    esac
    case $1 in
    --gpu) export SIMGPU_GPU="$2"; shift 2 ;;
    --seed) export SIMGPU_SEED="$2"; shift 2 ;;
    --report)
        case $2 in
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

# The device writes its number of findings to descriptor 3, and holds that
# open until it ends: so that nothing is still being said when we go on.
status=0
exec 4>&1
findings=$(SIMGPU_STATUS_FD=3 "$@" 3>&1 >&4 4>&-) || status=$?
exec 4>&-

[ -n "$findings" ] ||
    say "no simulated GPU was used; was $1 linked with -cudart shared?"
for n in $findings; do
    [ "$n" = 0 ] || exit 99
done
exit "$status"
