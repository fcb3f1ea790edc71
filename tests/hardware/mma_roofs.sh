#!/bin/sh
# SPDX-License-Identifier: MIT
# The rates of mma.sync on this machine's Hopper, where the harness's ceilings
# are wgmma's: the harness's own loop, built for compute_80, as JSON on standard
# output.
#
#   sh tests/hardware/mma_roofs.sh build \
#       >book/results/nvidia-h200/roofs-mma.json
set -eu
build=$(cd "$1" && pwd)
home=$(sh common/cli/find-cuda.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/harness"
for part in "$build"/bin "$build"/simgpu "$build"/vclock; do
    ln -s "$part" "$work/"
done
cp "$build"/harness/* "$work/harness/"
rm "$work/harness/tensor_roofs.so"
"$home/bin/nvcc" -O3 -Icommon -shared -cudart shared \
    -Xcompiler -fPIC,-fvisibility=hidden -gencode arch=compute_80,code=sm_90 \
    -o "$work/harness/tensor_roofs.so" common/harness/tensor_roofs.cu
for kernel in pointers bf16; do
    "$work/bin/check" solution 16 --kernel "$kernel" --device gpu \
        --build "$work" --root . --json "$work/report.json" >&2
done
awk -v gpu="$(nvidia-smi --query-gpu=name --format=csv,noheader |
        head -n 1)" \
    -v driver="$(nvidia-smi --query-gpu=driver_version --format=csv,noheader |
        head -n 1)" \
    -v toolkit="$("$home/bin/nvcc" --version |
        sed -n 's/.*release \([0-9.]*\).*/\1/p')" \
    -v day="$(date -u +%Y-%m-%d)" \
    -v commit="${COMMIT:-$(git rev-parse --short HEAD)}" '
    /"(tf32|bf16)_tensor_flops_per_second"/ {
        for (i = 1; i < NF; i++)
            if ($i ~ /_tensor_flops_per_second"/)
                rate[substr($i, index($i, "\"") + 1, 4)] = $(i + 1) + 0
    }
    END {
        if (!rate["tf32"] || !rate["bf16"]) exit 1
        print "{"
        for (type in rate)
            printf "  \"mma_sync_%s_flops_per_second\": %.17g,\n", type,
                rate[type]
        print "  \"provenance\": {\"gpu\": \"" gpu "\", \"driver\": \"" driver \
            "\", \"toolkit\": \"" toolkit "\", \"date\": \"" day \
            "\", \"commit\": \"" commit \
            "\", \"command\": \"sh tests/hardware/mma_roofs.sh build\"}"
        print "}"
    }' "$work"/roofs/*.json
