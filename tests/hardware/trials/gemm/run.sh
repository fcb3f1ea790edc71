#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SECONDS FOLDER [TRIAL...]: trials of matrix products on an H200, all of
# them or those that are named, and chapter 15's step 7 at drawn sizes and under
# the sanitizer. From the root of a checkout with a build folder; README.md says
# what it is for. Tables go to FOLDER, and their first lines to standard output.
set -u
seconds=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
trials=${*:-quick quick16 few flow tf32 small tiles thirds vector vector16}
trials=${*:-$trials brief}
here=tests/hardware/trials/gemm
cuda=$(sh common/cli/find-cuda.sh)
began=$(date +%s)

left()
{
    echo $((seconds - $(date +%s) + began))
}

build() # NAME STAGE.cu...
{
    name=$1 source=$1 bf16=
    shift
    [ "$name" = vector16 ] && source=vector bf16=-DBF16
    "$cuda/bin/nvcc" -O3 -std=c++17 -split-compile 0 -Icommon -Icommon/op \
        $bf16 -gencode arch=compute_90a,code=sm_90a -o "$out/$name" \
        "$here/$source.cu" "$@" "-L$cuda/lib64" -lcublasLt -lcublas \
        >"$out/$name.txt" 2>&1
}

few() # COMMAND...: what is said of step 7, if there is time
{
    most=$(left)
    [ "$most" -gt 5 ] || return
    LD_LIBRARY_PATH="$cuda/lib64" timeout "$most" "$@"
    echo "rc $?, $(left) s left"
}

for name in $trials; do
    case $name in
    tf32) set -- solutions/16-gemm-tensor-core/gemm.cu ;;
    small | quick16 | vector16 | brief)
        set -- solutions/17-gemm-hopper/few.cu ;;
    *) set -- solutions/15-gemm-async-pipeline/few.cu ;;
    esac
    [ "$name" = tiles ] || [ "$name" = thirds ] &&
        set -- "$1" solutions/20-fused-epilogue/gemm_bias_act.cu
    build "$name" "$@" &
done
[ "${trials#*few}" = "$trials" ] ||
    "$cuda/bin/nvcc" -shared -cudart shared -lineinfo -Icommon -Icommon/op \
    -Xcompiler -fPIC,-fvisibility=hidden \
    -gencode 'arch=compute_80,code=[compute_80,sm_90]' \
    -o "$out/stage.so" solutions/15-gemm-async-pipeline/few.cu &
wait
echo "built: $(left) s left"
for name in $trials; do
    [ -x "$out/$name" ] || { cat "$out/$name.txt"; continue; }
    LD_LIBRARY_PATH="$cuda/lib64" \
        timeout 45 "$out/$name" >"$out/$name.txt" 2>&1
    echo "$name: rc $?, $(left) s left"
    rm "$out/$name"
    awk '/^$/ { n = 0 } /^#/ || n++ < 12 || /cuBLAS|now|bytes|WRONG/' \
        "$out/$name.txt"
done
[ "${trials#*few}" = "$trials" ] && exit
few build/bin/check solution 15 --kernel few --draw 150 --seed 1 \
    --device gpu --build build --root . --jobs 8 >"$out/drawn.txt" 2>&1
tail -n 4 "$out/drawn.txt"
for shape in "M8 N512 K1280" "M16 N131 K333" "M128 N256 K4100"; do
    for tool in memcheck initcheck racecheck synccheck; do
        echo "$tool 15/few $shape"
        few compute-sanitizer --tool "$tool" --error-exitcode 9 \
            build/hardware/launch "$out/stage.so" gemm_f32 "$shape" 2>&1 |
            grep -e SUMMARY -e '^rc'
    done
done | tee "$out/sanitizer.txt"
rm -f "$out/stage.so"
