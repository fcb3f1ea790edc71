// SPDX-License-Identifier: MIT
// Thin products of bf16, for a dispatcher: C has few rows or few columns.
// New: as thin.cu, with half of its bytes to read: bf16 becomes fp32 on its way
// into shared memory, sums and parts are fp32, and C is rounded once.
// Before: 16/bf16, whose tensor cores want whole tiles.
// Counter: sectors loaded fall to half of thin.cu's.

#include <cuda_bf16.h>

#include "op/gemm.h"

enum {
    TM = 16, // rows of C per block
    TN = 16, // columns
    BK = 64, // of k on chip at a time
    THREADS = TM * TN, // one per cell
    PITCH = BK + 1, // of A on chip: its rows begin in different banks
    BLOCKS = 8, // per multiprocessor
    JOINED = 256 // cells of C per block that adds up
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

#include "sweep/thin.cuh"
