// SPDX-License-Identifier: MIT
// mutant: nothing waits for the copies into the ring
// chapter: 15 stages
// expect: MEMORY|RACE never waited for
// shape: M130 N131 K17
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) ((void)(n))

#include "../solutions/15-gemm-async-pipeline/stages.cu"
