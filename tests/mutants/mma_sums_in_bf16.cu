// SPDX-License-Identifier: MIT
// mutant: sums are rounded to bf16 after each multiplication
// chapter: 16 bf16
// expect: WRONG
#include <cuda_bf16.h>

#include "op/gemm.h"
#include "op/gemm_tensor.cuh"

static __device__ __forceinline__ void mma_narrow(float *sums,
                                                  const unsigned *a,
                                                  const unsigned *b)
{
    mma_bf16(sums, a, b);
    for (int e = 0; e < 4; e++)
        sums[e] = __bfloat162float(__float2bfloat16(sums[e]));
}

#define mma_bf16 mma_narrow

#include "../solutions/16-gemm-tensor-core/bf16.cu"
