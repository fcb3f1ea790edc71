// SPDX-License-Identifier: MIT
// mutant: every tile of C has the boxes of B's first columns
// chapter: 17 tma
// expect: WRONG
#include "op/gemm_hopper.cuh"

#define tensor_load(to, map, x, y, full)                                       \
    tensor_load(to, map, (map) == &maps->b ? (x) % BN : (x), y, full)

#include "../solutions/17-gemm-hopper/tma.cu"
