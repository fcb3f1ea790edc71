// SPDX-License-Identifier: MIT
// honest: fragments are rounded to tf32, not cut
// chapter: 16 gemm
// expect: PASS|SLOW
#include "op/gemm_tensor.cuh"

static __device__ __forceinline__ void mma_rounded(float *sums,
                                                   const unsigned *a,
                                                   const unsigned *b)
{
    unsigned near_a[4], near_b[2];

    for (int e = 0; e < 4; e++)
        near_a[e] = to_tf32(__uint_as_float(a[e]));
    for (int e = 0; e < 2; e++)
        near_b[e] = to_tf32(__uint_as_float(b[e]));
    mma_tf32(sums, near_a, near_b);
}

#define mma_tf32 mma_rounded

#include "../solutions/16-gemm-tensor-core/gemm.cu"
