// SPDX-License-Identifier: MIT
// Products of bf16 with very few rows, for a dispatcher.
// New: as columns.cu, with half of its bytes; sums are fp32, and C is rounded
// once.
// Before: thin_bf16.cu, whose parts of k are added up by a second launch.
// Counter: one kernel instead of two; B is read once.

#include <cuda_bf16.h>

#include "op/gemm.h"

enum {
    ROWS = 4,  // of C per block
    COLS = 32, // columns: one per lane
    WARPS = 8, // that share k
    THREADS = WARPS * COLS,
    BLOCKS = 6, // per multiprocessor
    LEAST = 8,  // values of k per warp: loads that are under way together
    MOST_PARTS = 32, // more cost the last block more than they save
    TICKETS = 1024
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

#include "sweep/columns.cuh"
