// SPDX-License-Identifier: MIT
// mutant: each wait is for the newest copies too
// chapter: 15 copies
// expect: TECHNIQUE async_waits_ahead_per_wait
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) __pipeline_wait_prior(0)

#include "../solutions/15-gemm-async-pipeline/copies.cu"
