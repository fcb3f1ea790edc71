// SPDX-License-Identifier: MIT
// Products of bf16 with a large C and a short k, for a dispatcher.
// New: as panel.cu; bf16 becomes fp32 on its way into shared memory, since
// tensor cores gain nothing where C is most of the bytes.
// Before: 16/bf16 and 17, whose copies want rows of whole 16 bytes.
// Counter: sectors stored per request fall to what its bytes need.

#include <cuda_bf16.h>

#include "op/gemm.h"

enum {
    TM = 16,   // rows of C per warp
    TN = 4,    // columns per lane
    WARPS = 4, // of a block, one below the other
    BLOCKS = 4 // per multiprocessor
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

static __device__ void bring(float *to, const gemm_bf16_t *from,
                             const gemm_bf16_t *there, bool exists)
{
    (void)there;
    *to = exists ? widened(*from) : 0.0f;
}

static __device__ void arrived(void)
{
}

#include "sweep/panel.cuh"
