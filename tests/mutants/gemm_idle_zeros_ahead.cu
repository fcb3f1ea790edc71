// SPDX-License-Identifier: MIT
// mutant: all tiles are waited for; zeros, for which nobody reads, stay ahead
// chapter: 15 copies
// expect: TECHNIQUE async_waits_ahead_per_wait
#include <cuda_pipeline_primitives.h>

// 16 bytes per thread, of which none comes from memory.
static __device__ void idle(const float *from, int turn)
{
    __shared__ float4 words[2][256];

    __pipeline_memcpy_async(&words[turn][threadIdx.x], from, 16, 16);
    __pipeline_commit();
}

#define __pipeline_wait_prior(n) (idle(B, now), __pipeline_wait_prior(1))

#include "../solutions/15-gemm-async-pipeline/copies.cu"
