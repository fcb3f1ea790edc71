// SPDX-License-Identifier: MIT
// Products of bf16 with very few columns, for a dispatcher: dot products.
// New: as dots.cu, with half of its bytes; sums are fp32, and C is rounded
// once.
// Before: thin_bf16.cu, whose parts of k are added up by a second launch.
// Counter: global_load_sectors_per_request is 4; one kernel instead of two.

#include <cuda_bf16.h>

#include "op/gemm.h"

enum {
    ROWS = 4, // of C per warp: each value of B that it loads serves them all
    COLS = 4, // columns
    LANES = 32,
    WARPS = 8, // per block
    THREADS = WARPS * LANES
};

typedef gemm_bf16_t element;
#define LAUNCHER gemm_bf16_bf16
#define QUERY gemm_bf16_bf16_workspace

static __device__ float widened(gemm_bf16_t x)
{
    return __bfloat162float(x);
}

static __device__ gemm_bf16_t rounded(float x)
{
    return __float2bfloat16_rn(x);
}

#include "sweep/dots.cuh"
