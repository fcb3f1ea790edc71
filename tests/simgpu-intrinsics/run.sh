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

names() # [FILE...]: the first words, sorted
{
    sed '/^#/d; s/ .*//' "$@" | sort
}

# Only functions that the toolkit's headers lack are left out.
case $("$nvcc" --version) in
*"release 11."*) names $folder/since-12.txt >"$work/lacks" ;;
*) : >"$work/lacks" ;;
esac

# Results must equal an H200's bits, or be within the documented error.
same_as_h200()
{
    "$nvcc" -std=c++17 -cudart shared -gencode arch=compute_90,code=compute_90 \
        -o "$work/intrinsics" $folder/intrinsics.cu || return
    SIMGPU_CHECKS=none "$build/bin/simgpu" "$work/intrinsics" \
        >"$work/got" 2>"$work/log" || cat "$work/got" "$work/log"
    grep -vxFf $folder/h200.txt "$work/got" | sed 's/^/not an H200: /'
    names "$work/got" | sort - "$work/lacks" >"$work/names"
    names $folder/h200.txt | comm -3 - "$work/names" |
        sed 's/^/ran or left out, but not as listed: /'
}

# Groups, vector atomics, alloca: right, and nothing to accuse them of.
groups_are_right() # ARCHITECTURE
{
    "$nvcc" -std=c++17 -cudart shared -lineinfo \
        -gencode "arch=compute_$1,code=compute_$1" -o "$work/groups" \
        $folder/groups.cu || return
    for seed in 0 3; do
        "$build/bin/simgpu" --seed $seed "$work/groups" 2>&1 ||
            echo "exit $?, seed $seed"
    done
}

# The decoder must know every instruction that nvcc generates for a file.
all_known() # FILE ARCHITECTURE [FLAG]
{
    "$nvcc" -std=c++17 --ptx -arch="compute_$2" ${3:+"$3"} \
        -o "$work/$2.ptx" "$folder/$1.cu" || return
    "$build/bin/simgpu-audit" "$work/$2.ptx" 2>&1 || true
}

# Tests the audit itself: it names what is not simulated.
unknown_is_named()
{
    all_known unknown 90 | grep -q 'vadd' ||
        echo "vadd is not named"
}

# The page of instructions says what the decoder takes, and what it refuses.
census_is_kept()
{
    "$build/bin/simgpu-census" tests/simgpu/refused.txt >"$work/census" 2>&1 ||
        echo "exit $?: an instruction is listed as refused and is not"
    diff "$work/census" common/simgpu/instructions.md ||
        echo "make instructions writes it anew"
}

if ! make --no-print-directory -s BUILD="$build" programs \
    "$build/bin/simgpu-audit" "$build/bin/simgpu-census" >&2; then
    echo "Bail out! The programs do not build (see above)."
    exit 1
fi
quiet "device functions give what an H200 gave" same_as_h200
[ ! -s "$work/lacks" ] || skip "device functions since CUDA 12" \
    "the headers of CUDA 11 lack $(tr '\n' ' ' <"$work/lacks")"
groups="groups, vector atomics and alloca give what C gives"
if [ -s "$work/lacks" ]; then
    skip "$groups" "CUDA 11 has no vector atomics and no invoke_one"
else
    quiet "$groups" groups_are_right 90
fi
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
quiet "the page of instructions is the decoder's" census_is_kept
plan
