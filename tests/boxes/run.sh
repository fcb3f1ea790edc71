#!/bin/sh
# SPDX-License-Identifier: MIT
# Tensor maps, and copies of boxes of tensors, on the simulated GPU must give
# what an H200 gave: all bytes of memory that may change; prints TAP.
#   BUILD=dir   where to build, as for make
set -u

cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
record=tests/hardware/boxes-h200.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $("$nvcc" --version) in
*"release 11."*)
    echo "1..0 # SKIP CUDA 11 has no tensor maps"
    exit
    ;;
esac

builds()
{
    make --no-print-directory -s BUILD="$build" programs &&
        "$nvcc" -std=c++17 -cudart shared -gencode \
            arch=compute_90a,code=compute_90a -o "$work/boxes" \
            tests/hardware/boxes.cu
}

# A copy that the GPU refuses ends the program: it begins again behind that.
runs()
{
    : >"$work/got"
    first=0
    until "$build/bin/simgpu" "$work/boxes" $first 100000 >>"$work/got" \
        2>"$work/err"; do
        copies=$(grep -c '^copy' "$work/got")
        [ "$copies" -gt "$first" ] || return 1
        first=$copies
    done
}

same()
{
    sed '/^#/d' $record | diff "$work/got" - | sed -n 's/^< /here: /p
        s/^> /an H200: /p'
}

if ! builds >"$work/log" 2>&1; then
    sed 's/^/# /' "$work/log"
    echo "Bail out! boxes.cu does not build."
    exit 1
fi
quiet "boxes are copied" runs
quiet "maps and boxes are an H200's" same
plan
