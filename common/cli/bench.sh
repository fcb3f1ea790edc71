#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures every solution on this machine's GPU, then the newest beside their
# peers (common/peers), and writes the reports, with their provenance, into
# book/results/GPU/. Arguments: build folder, toolkit.
set -eu
build=$1
cuda_home=$2

gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null |
    head -n 1) || gpu=
if [ -z "$gpu" ]; then
    echo "make bench measures a GPU, and nvidia-smi finds none here." >&2
    echo "Without one: make check-solution 5 shows counters." >&2
    exit 1
fi
folder=book/results/$(echo "$gpu" | tr 'A-Z ' 'a-z-')
mkdir -p "$folder"

driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader |
    head -n 1)
toolkit=$("$cuda_home/bin/nvcc" --version |
    sed -n 's/.*release \([0-9.]*\).*/\1/p')
date=$(date -u +%Y-%m-%d)
commit=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
cat >"$folder/provenance.json" <<EOF
{
    "gpu": "$gpu",
    "driver": "$driver",
    "toolkit": "$toolkit",
    "date": "$date",
    "commit": "$commit",
    "command": "make bench"
}
EOF

failed=
for conf in solutions/*/; do
    n=$(basename "$conf" | cut -d- -f1)
    "$build/bin/check" solution "$n" --device gpu --build "$build" \
        --json "$folder/solution-$n.json" || failed="$failed $n"
done
cp "$build"/roofs/*.json "$folder/roofs.json"
if sh common/peers/peers.sh "$build" "$cuda_home" "gpu $gpu" \
    "driver $driver" "toolkit $toolkit" "date $date" "commit $commit" \
    >"$build/peers.json"; then
    mv "$build/peers.json" "$folder/peers.json"
else
    failed="$failed peers"
fi
if sh common/peers/toeplitz.sh "$build" "$cuda_home" >"$build/long.json"; then
    mv "$build/long.json" "$folder/long.json"
else
    failed="$failed toeplitz"
fi
echo "Results: $folder"
if [ -n "$failed" ]; then
    echo "Not PASS (the reports say why):$failed" >&2
    exit 1
fi
