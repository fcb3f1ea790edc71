// SPDX-License-Identifier: MIT
// mutant: two pairs of tiles as before, whose threads meet at an mbarrier
// chapter: 15 stages
// shape: M256 N256 K128
// expect: TECHNIQUE barriers_per_wait [0-9.]* <= 1.5 MISSED
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

// Everybody's copies for this round have arrived.
static __device__ void meet(bool begin)
{
    __shared__ __mbarrier_t barrier;

    if (begin) {
        if (threadIdx.x == 0)
            __mbarrier_init(&barrier, blockDim.x);
        __syncthreads(); // it is ready
    }

    __mbarrier_token_t token = __mbarrier_arrive(&barrier);

    while (!__mbarrier_test_wait(&barrier, token))
        ;
}

#define __syncthreads() meet(first == 0 && __LINE__ == 126) // once

#include "../solutions/15-gemm-async-pipeline/copies.cu"
