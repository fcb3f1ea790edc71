// SPDX-License-Identifier: MIT
// mutant: each wait leaves one group of copies too many pending
// chapter: 09 forward
// expect: MEMORY|RACE never waited for
// shape: B2 H33 L100 K23
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) __pipeline_wait_prior((n) + 1)

#include "../solutions/09-dwconv-floor/forward.cu"
