#!/bin/sh
# SPDX-License-Identifier: MIT
# doctor.sh: prints what this machine has, what works here, and what to do.
# Changes nothing, installs nothing, and does not fail if something is missing.
. common/cli/lib.sh
. common/cli/needs.sh

row()
{
    printf '%-12s %s\n' "$1" "$2"
}

todo()
{
    row '' "-> $1"
}

# A toolkit may not accept this host's compiler. Prints nvcc's messages if so.
compiles() # NVCC
{
    scratch=$(mktemp -d)
    echo '#include <cuda_runtime.h>
        __global__ void k(void) { }' >"$scratch/k.cu"
    "$1" -shared -cudart shared -Xcompiler -fPIC \
        -gencode arch=compute_75,code=sm_75 -o "$scratch/k.so" \
        "$scratch/k.cu" 2>&1
    compiled=$?
    rm -r "$scratch"
    return $compiled
}

toolkit()
{
    cuda=$(sh common/cli/find-cuda.sh)
    version=$(cuda_version "$cuda")
    simulator=no
    if [ -z "$cuda" ]; then
        row toolkit "none in \$CUDA_HOME, /usr/local/cuda, /opt/cuda or PATH"
        todo "make check-solution 5 installs it, or says how"
    elif cuda_is_old "$version"; then
        row toolkit "CUDA $version in $cuda: not supported"
        todo "install CUDA $CUDA_MIN or newer from NVIDIA, set CUDA_HOME"
    elif words=$(compiles "$cuda/bin/nvcc"); then
        row toolkit "CUDA $version in $cuda"
        simulator=yes
    else
        row toolkit "CUDA $version in $cuda: it does not compile"
        row '' "$(echo "$words" | grep -im 1 'error' || echo "$words")"
        todo "export NVCC_PREPEND_FLAGS='-ccbin g++-11', if it wants that g++"
    fi
}

packages()
{
    for group in compile build test book plot docs; do
        lacks=$(missing $group | tr '\n' ' ')
        lacks=${lacks% }
        row "for $group" "${lacks:+lacks }${lacks:-complete}"
        case $group in
        compile | build) [ -z "$lacks" ] || simulator=no ;;
        esac
    done
}

machine()
{
    row processor "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo |
        head -n 1), $(nproc) cores"
    row memory "$(awk '/MemTotal/ { t = $2 } /MemAvailable/ { a = $2 }
        END { printf "%.1f GB, %.1f GB free", t / 1e6, a / 1e6 }' \
        /proc/meminfo)"
    row disk "$(df -Pk . | awk 'NR == 2 { printf "%.1f GB free", $4 / 1e6 }')"
}

query() # FIELDS: one line per GPU
{
    nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null
}

gpus()
{
    gpu=no
    if [ ! -e /proc/driver/nvidia/version ] && ! command -v nvidia-smi \
        >/dev/null; then
        row driver "none"
        row GPU "none: kernels run on the simulated GPU"
        return
    fi
    row driver "$(query driver_version | head -n 1)"
    names=$(query index,name,compute_cap,memory.total,memory.free)
    if [ -z "$names" ]; then
        row GPU "the driver answers, but shows no GPU"
        todo "see what nvidia-smi says; in a container, pass the GPU in"
        return
    fi
    gpu=yes
    echo "$names" | while IFS=, read -r i name cap total free; do
        row "GPU $i" "${name# }, sm_${cap#* },$total,$free free"
    done
    query clocks.sm,clocks.max.sm,clocks.mem | while read -r clocks; do
        row clocks "$clocks (now, highest, memory)"
    done
    counters
}

counters()
{
    if counters_permitted; then
        row counters "permitted"
    else
        row counters "not permitted to this user"
        todo "not needed: the technique gates read the simulated GPU's"
    fi
}

answer() # yes|no WHAT
{
    printf '  %-4s %s\n' "$1" "$2"
}

echo "this machine"
toolkit
packages
machine
gpus
[ -n "$(find solutions -name '*.cu' 2>/dev/null | head -n 1)" ] ||
    row solutions "not here (a hand-out): check-solution and diff do not work"
echo
echo "what works here"
answer "$simulator" "check a kernel on the simulated GPU (DEVICE=sim)"
[ "$simulator" = yes ] || gpu=no
answer "$gpu" "run and time it on a GPU (DEVICE=gpu)"
[ "$simulator" = no ] || echo "start with: make next"
exit 0
