#!/bin/sh
# SPDX-License-Identifier: MIT
# CUDA's device functions on the simulated GPU; prints TAP.
#   BUILD=dir   where to build, as for make
set -u

cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
folder=tests/simgpu-intrinsics
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Its headers lack some of the functions on the device.
case $("$nvcc" --version) in
*"release 11."*)
    skip "device functions" "CUDA 11 lacks bf16 conversions and half masks"
    plan ;;
esac

# Results are an H200's, to the bit or within the documented error.
same_as_h200()
{
    "$nvcc" -std=c++17 -cudart shared -gencode arch=compute_90,code=compute_90 \
        -o "$work/intrinsics" $folder/intrinsics.cu || return
    SIMGPU_CHECKS=none "$build/bin/simgpu" "$work/intrinsics" \
        >"$work/got" 2>"$work/log" || cat "$work/got" "$work/log"
    grep -vxFf $folder/h200.txt "$work/got" | sed 's/^/not an H200: /'
    [ "$(grep -c . "$work/got")" -ge 300 ] || echo "too few functions ran"
}

# The decoder knows every instruction that nvcc makes of a file.
all_known() # FILE ARCHITECTURE [FLAG]
{
    "$nvcc" -std=c++17 --ptx -arch="compute_$2" ${3:+"$3"} \
        -o "$work/$2.ptx" "$folder/$1.cu" || return
    "$build/bin/simgpu-audit" "$work/$2.ptx" 2>&1 || true
}

# The audit itself: what is not simulated is named.
unknown_is_named()
{
    all_known unknown 90 | grep -q 'mbarrier.init.shared.b64' ||
        echo "mbarrier.init is not named"
}

if ! make --no-print-directory -s BUILD="$build" programs \
    "$build/bin/simgpu-audit" >&2; then
    echo "Bail out! The programs do not build (see above)."
    exit 1
fi
quiet "device functions give what an H200 gave" same_as_h200
quiet "each instruction is known: functions, compute_75" \
    all_known intrinsics 75 -DBEFORE_80
quiet "each instruction is known: language, compute_80" all_known language 80
if "$nvcc" --list-gpu-arch | grep -qx compute_120; then # spelt otherwise
    quiet "each instruction is known: functions, compute_120" \
        all_known intrinsics 120
    quiet "each instruction is known: language, compute_120" \
        all_known language 120
fi
quiet "an instruction that is not known is named" unknown_is_named
plan
