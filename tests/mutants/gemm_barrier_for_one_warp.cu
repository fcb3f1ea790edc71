// SPDX-License-Identifier: MIT
// mutant: tiles reused when one warp has read them
// chapter: 15 stages
// expect: RACE|MEMORY
// shape: M130 N131 K130
#include <cuda_pipeline_primitives.h>

#define __syncthreads() __syncwarp()

#include "../solutions/15-gemm-async-pipeline/stages.cu"
