#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the CUDA toolkit's folder (the one with bin/nvcc), or nothing. A
# distribution's own package is in /usr, even if PATH says /bin.
# SETUP_ROOT is a prefix for all paths searched (tests use it).
root=$SETUP_ROOT
in_path=$(command -v nvcc 2>/dev/null) && in_path=${in_path%/bin/nvcc}
for dir in "$CUDA_HOME" "$CUDA_PATH" "$root/usr/local/cuda" "$root/opt/cuda" \
    "$root$in_path" "$root/usr"; do
    if [ -n "$dir" ] && [ -x "$dir/bin/nvcc" ]; then
        echo "$dir"
        exit 0
    fi
done
