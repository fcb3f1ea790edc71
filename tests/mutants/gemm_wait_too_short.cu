// SPDX-License-Identifier: MIT
// mutant: the wait leaves the pair in use under way
// chapter: 15 stages
// expect: MEMORY|RACE
// shape: M130 N131 K17
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) __pipeline_wait_prior((n) + 1)

#include "../solutions/15-gemm-async-pipeline/stages.cu"
