#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the readers, under sanitizers, on inputs that once broke them and on
# damaged output of nvcc. `make fuzz` looks for more.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
DAMAGED=1000 # damaged forms per seed
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1

replay()
{
    reader=$1
    shift
    "$build/fuzz/replay-$reader" "$@" 2>&1 || echo "exit $?"
}

mkdir -p "$build/fuzz/seeds"
seed() # READER FLAG: nvcc's own output for each seed
{
    for source in tests/fuzz/seeds/*.cu; do
        "$nvcc" -arch=compute_80 "$2" -o \
            "$build/fuzz/seeds/$(basename "$source" .cu).$1" "$source"
    done
}

build() # READER
{
    make -s BUILD="$build" "$build/fuzz/replay-$1" >/dev/null
}

nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
quiet "ptx: the seeds compile" seed ptx -ptx
quiet "fatbin: the seeds compile" seed fatbin -fatbin
for reader in ptx fatbin; do
    quiet "$reader: the program builds" build "$reader"
    quiet "$reader: damaged seeds" \
        replay "$reader" -n $DAMAGED "$build"/fuzz/seeds/*."$reader"
    for input in tests/fuzz/found/"$reader"/*; do
        [ -f "$input" ] || continue
        quiet "$reader: $(basename "$input")" replay "$reader" "$input"
    done
done
plan
