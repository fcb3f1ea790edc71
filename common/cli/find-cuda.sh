#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the CUDA toolkit's folder (the one with bin/nvcc), or nothing.
for dir in "$CUDA_HOME" "$CUDA_PATH" /usr/local/cuda /opt/cuda \
    "$(dirname "$(dirname "$(command -v nvcc 2>/dev/null)")" 2>/dev/null)"; do
    if [ -n "$dir" ] && [ -x "$dir/bin/nvcc" ]; then
        echo "$dir"
        exit 0
    fi
done
