#!/bin/sh
# SPDX-License-Identifier: MIT
# What is not a number must have the bits that an H200 gave, and shared arrays
# must stand where they stood there; prints TAP.
#   BUILD=dir   where to build, as for make
set -u

cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
record=tests/hardware/nans-h200.txt
arrays='mixed|rows|two_arrays'
operations='[a-z0-9_]*(16|32|64|x2|sat|relu|rz|rn)'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A line that differs, and where. Approximate functions have no recorded bits
# for the one number among their operands, the second.
same_words() # PATTERN of names
{
    awk -v names="^($1)\$" '$1 !~ names { next }
        NR == FNR { want[$1] = $0; next }
        { n = split(want[$1], w, " ")
          for (i = 2; i <= NF && n; i++)
              if ($i != w[i] && !(i == 3 && $1 ~ /^(sin|cos|tanh)_/)) {
                  print $1 ": result " i - 2 " is " $i ", an H200 gave " w[i]
                  break
              } }' $record "$work/got"
}

nothing_is_missing()
{
    shape='{ print $1, NF }'
    grep -v '^#' $record | awk "$shape" >"$work/all"
    awk "$shape" "$work/got" | diff "$work/all" -
}

runs()
{
    make --no-print-directory -s BUILD="$build" programs &&
        "$nvcc" -std=c++17 -cudart shared -gencode \
            arch=compute_90,code=compute_90 -o "$work/nans" \
            tests/hardware/nans.cu &&
        "$build/bin/simgpu" "$work/nans" >"$work/got"
}

if ! runs >"$work/log" 2>&1; then
    sed 's/^/# /' "$work/log"
    echo "Bail out! The operations do not run."
    exit 1
fi
quiet "what is not a number has an H200's bits" \
    same_words "$operations"
quiet "shared arrays stand as on an H200" same_words "$arrays"
quiet "every recorded operation was made" nothing_is_missing
plan
