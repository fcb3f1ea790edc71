#!/bin/sh
# SPDX-License-Identifier: MIT
# Matrix products on the simulated GPU must give the bits that an H200 gave;
# prints TAP.
#   BUILD=dir   where to build, as for make
set -u

cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
record=tests/hardware/matrix-h200.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The recorded lines that the toolkit cannot build.
case $("$nvcc" --version) in
*"release 11."*) arch=compute_90 lacks='e4m3|e5m2|wgmma|layout' ;;
*"release 12."[0-3]*) arch=compute_90a lacks='mma_m16n8k32_e' ;;
*) arch=compute_90a lacks='^$' ;;
esac

first_words() # FILE
{
    sed '/^#/d; s/ .*//' "$1" | uniq -c
}

# A line that differs, and where.
same_bits()
{
    awk 'NR == FNR { if ($1 != "#") want[$1 " " $2 " " $3] = $0; next }
         { n = split(want[$1 " " $2 " " $3], w, " ")
           for (i = 4; i <= NF && n; i++)
               if ($i != w[i]) {
                   print $1 ", family " $2 ": word " i - 4 " is " $i \
                       ", an H200 gave " w[i]
                   break
               } }' $record "$work/got"
}

nothing_is_missing()
{
    first_words $record | grep -Ev "$lacks" >"$work/all"
    first_words "$work/got" | diff "$work/all" -
}

runs()
{
    make --no-print-directory -s BUILD="$build" programs &&
        "$nvcc" -std=c++17 -cudart shared -gencode "arch=$arch,code=$arch" \
            -o "$work/matrix" tests/hardware/matrix.cu &&
        "$build/bin/simgpu" "$work/matrix" 1 >"$work/got"
}

if ! runs >"$work/log" 2>&1; then
    sed 's/^/# /' "$work/log"
    echo "Bail out! The products do not run."
    exit 1
fi
quiet "matrix products have an H200's bits" same_bits
quiet "every recorded product was made" nothing_is_missing
plan
