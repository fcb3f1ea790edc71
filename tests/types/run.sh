#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [NAME...]: kernels of one operator in several element types, with
# scalars, in-and-out arrays and padded rows, through check from end to end, as
# TAP.
#
# A case is one .cu file here. Its first lines declare what it is (honest or
# mutant), the operator, the verdict it must get and, behind it, the kind of the
# first wrong cell; `say` is a regular expression that the report must match.
# Each becomes the only kernel of a chapter of its own, in a workbook of its own
# that borrows the programs of this one. `headers` is the case of headers.cc.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
. tests/nvcc.sh
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

declared() # FILE KEY
{
    sed -n "s|^// $2: *||p" "$1"
}

workbook() # FOLDER CASE: a chapter 90 with this one kernel
{
    name=$(basename "$2" .cu)
    mkdir -p "$1/chapters/90-types" "$1/build"
    ln -s "$root/common" "$root/checker" "$1/"
    ln -s "$BUILD/bin" "$BUILD/simgpu" "$1/build/"
    cp "$2" tests/types/gemm.cuh "$1/chapters/90-types/"
    printf '%s\n' '[chapter]' 'title = Types' 'kind = kernel' \
        'arch = compute_75' "[$name]" "op = $(declared "$2" op)" \
        'deterministic = yes' 'sim_shapes = M70 N66 K34 ldA35 ldB69' \
        >"$1/chapters/90-types/chapter.conf"
}

judged() # CASE: what is wrong with its verdict
{
    folder=$work/$(basename "$1" .cu)
    workbook "$folder" "$1"
    "$BUILD/bin/check" chapter 90 --root "$folder" --build "$folder/build" \
        --device sim --seed "${SEED:-1}" --json "$folder/report.json" \
        >"$folder/report.txt" 2>&1 </dev/null
    expect=$(declared "$1" expect)
    kind=${expect#"${expect%% *}"}
    grep -q "\"verdict\": \"${expect%% *}\"" "$folder/report.json" ||
        echo "not ${expect%% *}"
    { [ -z "$kind" ] || echo "${kind# }"; declared "$1" say; } |
        while read -r words; do
            tr -s ' \n' '  ' <"$folder/report.txt" | grep -Eq -- "$words" ||
                echo "the report does not say: $words"
        done
}

checked() # CASE: the same, with the report where something is wrong
{
    folder=$work/$(basename "$1" .cu)
    wrong=$(judged "$1")
    [ -z "$wrong" ] || { echo "$wrong"; head -n 40 "$folder/report.txt"; }
}

# type.c's conversions against CUDA's own, compiled for the host.
# shellcheck disable=SC2086 # CC may be two words: ccache gcc
conversions() # TYPE.C: what differs
{
    ${CC:-gcc} -std=c11 -O2 -Icommon -c -o "$work/type.o" "$1" &&
        g++ -O2 -Icommon -isystem "$(sh common/cli/find-cuda.sh)/include" \
            -o "$work/headers" tests/types/headers.cc "$work/type.o" &&
        "$work/headers"
}

cut_off() # a conversion that does not round
{
    sed 's/value = round_even(ldexp(/value = floor(ldexp(/' \
        common/op/type.c >"$work/cut_off.c"
    conversions "$work/cut_off.c" | grep -q 'conversions differ' ||
        echo "values that are cut off pass"
}

case " $* " in "  " | *" headers "*)
    quiet "headers: every conversion is as in CUDA's headers" \
        conversions common/op/type.c
    quiet "headers: a conversion that does not round is found" cut_off ;;
esac
for file in tests/types/*.cu; do
    name=$(basename "$file" .cu)
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    quiet "$name: $(sed -n '2s|^// [a-z]*: *||p' "$file")" checked "$file"
done
plan
