// SPDX-License-Identifier: MIT
// mutant: asynchronous copies, each waited for at once
// chapter: 09 forward
// expect: TECHNIQUE async_waits_ahead_per_wait
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) __pipeline_wait_prior(0)

#include "../solutions/09-dwconv-floor/forward.cu"
