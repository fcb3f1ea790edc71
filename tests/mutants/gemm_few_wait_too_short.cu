// SPDX-License-Identifier: MIT
// mutant: a warp multiplies a unit whose copies may still be under way
// chapter: 15 few
// expect: MEMORY|RACE
// shape: M8 N260 K900
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) __pipeline_wait_prior((n) + 1)

#include "../solutions/15-gemm-async-pipeline/few.cu"
