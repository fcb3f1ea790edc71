#!/bin/sh
# SPDX-License-Identifier: MIT
# toeplitz.sh BUILD CUDA_HOME: builds and runs the advanced section's program,
# long kernels in fp32, on tensor cores and, where cuFFT is, by FFT. Its results
# go to stdout, as JSON.
set -eu
program=$1/toeplitz
set -- "$2" solutions/*/toeplitz.cu
[ -f "$2" ] || { echo "toeplitz: no solution has it" >&2; exit 1; }
fft=
if [ -f "$1/include/cufft.h" ]; then
    fft="-DFFT -lcufft"
else
    echo "toeplitz: no cufft.h in $1, so no FFT beside it" >&2
fi
# shellcheck disable=SC2086 # two words or none
"$1/bin/nvcc" -O2 -cudart shared -Icommon -Icommon/op \
    -gencode arch=compute_80,code=compute_80 -o "$program" "$2" $fft
LD_LIBRARY_PATH=$1/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    timeout 100 "$program"
