// SPDX-License-Identifier: MIT
// mutant: all copies are waited for at once, behind two waits that bring little
// chapter: 15 copies
// expect: TECHNIQUE async_waits_ahead_per_wait
#include <cuda_pipeline_primitives.h>

static __device__ __forceinline__ void wait_for_all(int left)
{
    __pipeline_wait_prior(left);
    __pipeline_wait_prior(left); // idle
    __pipeline_wait_prior(0);
}
#define __pipeline_wait_prior(left) wait_for_all(left)

#include "../solutions/15-gemm-async-pipeline/copies.cu"
