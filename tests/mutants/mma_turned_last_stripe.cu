// SPDX-License-Identifier: MIT
// mutant: the last stripe is taken to be as tall as the others
// chapter: 16 turned
// expect: WRONG
#include <cuda_pipeline_primitives.h>

#define min(whole, left) (whole)

#include "../solutions/16-gemm-tensor-core/turned.cu"
