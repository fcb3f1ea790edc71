// SPDX-License-Identifier: MIT
// mutant: A's descriptor says another swizzle than its map
// chapter: 17 tma
// expect: WRONG
// shape: M130 N131 K65
#include "op/gemm_hopper.cuh"

// 1 is 128 bytes, 2 is 64.
#define matrix_rows(tile) (matrix_rows(tile) ^ 3ULL << 62)

#include "../solutions/17-gemm-hopper/tma.cu"
