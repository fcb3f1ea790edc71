// SPDX-License-Identifier: MIT
// mutant: a lane waits for its own copies, not for its neighbours'
// chapter: 09 input_grad
// expect: RACE
// shape: B2 H33 L100 K23
#include <cuda_pipeline_primitives.h>

#define __syncwarp() ((void)0)

#include "../solutions/09-dwconv-floor/input_grad.cu"
