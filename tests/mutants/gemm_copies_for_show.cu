// SPDX-License-Identifier: MIT
// mutant: tiles filled as before, beside asynchronous copies that nobody reads
// chapter: 15 copies
// expect: TECHNIQUE loaded_bytes_per_copied
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

// A part of A's next tile, wherever the kernel meets a barrier.
static __device__ void show(const float *A, struct gemm_shape s, int row0,
                            int first, bool wide)
{
    __shared__ __align__(16) float copies[2][128][4];
    int m = row0 + threadIdx.x * 4 / 8 % 128, k = first + threadIdx.x * 4 % 8;

    if (wide && threadIdx.x < 128 && m < s.M && k + 4 <= s.K)
        __pipeline_memcpy_async(copies[first / 8 % 2][threadIdx.x],
                                A + (size_t)m * s.lda + k, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
}

#define __syncthreads() (show(A, s, row0, first, wide), (__syncthreads)())

#include "../solutions/14-gemm-vectorized/gemm.cu"
