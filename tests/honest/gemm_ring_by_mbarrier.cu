// SPDX-License-Identifier: MIT
// honest: the ring's threads meet at an mbarrier, as the pipelines of CUDA do
// chapter: 15 stages
// expect: PASS
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

#define __syncthreads() meet(first == 0)

#include "../solutions/15-gemm-async-pipeline/stages.cu"
