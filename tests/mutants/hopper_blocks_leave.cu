// SPDX-License-Identifier: MIT
// mutant: a block per tile: nobody goes on to the next one
// chapter: 17 tiles
// expect: TECHNIQUE
#include "op/gemm_hopper.cuh"

#define cudaDeviceGetAttribute(room, ...) (*(room) = 1 << 20)

#include "../solutions/17-gemm-hopper/tiles.cu"
