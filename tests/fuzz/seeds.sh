#!/bin/sh
# SPDX-License-Identifier: MIT
# seeds.sh FOLDER READER: what a fuzzer starts from: the solutions as nvcc
# compiles them, and what has broken the reader before.
set -eu
cd "$(dirname "$0")/../.."
folder=$1 reader=$2
mkdir -p "$folder"
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
for found in tests/fuzz/found/"$reader"/*; do
    [ ! -f "$found" ] || cp "$found" "$folder"
done
[ ! -f "$folder/seeded" ] || exit 0
for source in solutions/*/*.cu tests/fuzz/seeds/*.cu; do
    [ -f "$source" ] || continue
    name=$(echo "$source" | tr / -)
    case $source in
    */program.cu) continue ;;
    esac
    if [ "$reader" = ptx ]; then
        "$nvcc" -arch=compute_80 -Icommon -ptx -o "$folder/$name.ptx" "$source"
    else
        for how in "" -no-compress; do
            # shellcheck disable=SC2086 # an empty word is none
            "$nvcc" -arch=compute_80 $how -Icommon -fatbin \
                -o "$folder/$name$how.fatbin" "$source"
        done
    fi
done
: >"$folder/seeded"
