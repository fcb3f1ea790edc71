// SPDX-License-Identifier: MIT
// mutant: two products in tf32 pose as one in bf16
// chapter: 16 bf16
// expect: TECHNIQUE
#include "op/gemm_tensor.cuh"

// The first of a word's two elements, or the second, as tf32.
static __device__ __forceinline__ void mma_half(float *sums, const unsigned *a,
                                                const unsigned *b, int shift)
{
    unsigned wide_a[4], wide_b[2];

    for (int e = 0; e < 4; e++)
        wide_a[e] = a[e] << shift & 0xffff0000;
    for (int e = 0; e < 2; e++)
        wide_b[e] = b[e] << shift & 0xffff0000;
    mma_tf32(sums, wide_a, wide_b);
}

static __device__ __forceinline__ void mma_halves(float *sums,
                                                  const unsigned *a,
                                                  const unsigned *b)
{
    mma_half(sums, a, b, 16);
    mma_half(sums, a, b, 0);
}

#define mma_bf16 mma_halves

#include "../solutions/16-gemm-tensor-core/bf16.cu"
