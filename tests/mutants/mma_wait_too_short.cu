// SPDX-License-Identifier: MIT
// mutant: each wait leaves one group of copies too many under way
// chapter: 16 bf16
// expect: MEMORY|RACE
// shape: M128 N128 K256
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) __pipeline_wait_prior((n) + 1)

#include "../solutions/16-gemm-tensor-core/bf16.cu"
