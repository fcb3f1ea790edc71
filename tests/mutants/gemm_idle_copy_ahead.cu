// SPDX-License-Identifier: MIT
// mutant: all tiles are waited for; a copy that nobody reads stays under way
// chapter: 15 copies
// expect: TECHNIQUE async_waits_ahead_per_wait
#include <cuda_pipeline_primitives.h>

// A word per thread.
static __device__ void idle(const float *from, int turn)
{
    __shared__ float words[2][256];

    __pipeline_memcpy_async(&words[turn][threadIdx.x], from, 4);
    __pipeline_commit();
}

#define __pipeline_wait_prior(n) (idle(B, now), __pipeline_wait_prior(1))

#include "../solutions/15-gemm-async-pipeline/copies.cu"
