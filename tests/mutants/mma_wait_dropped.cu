// SPDX-License-Identifier: MIT
// mutant: tiles are multiplied without waiting for their copies
// chapter: 16 gemm
// expect: MEMORY|RACE
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n)

#include "../solutions/16-gemm-tensor-core/gemm.cu"
