// SPDX-License-Identifier: MIT
// mutant: the copies are never committed to a group, so no wait covers them
// chapter: 09 weight_grad
// expect: MEMORY|RACE never waited for
// shape: B2 H33 L100 K23
#include <cuda_pipeline_primitives.h>

#define __pipeline_commit() ((void)0)

#include "../solutions/09-dwconv-floor/weight_grad.cu"
