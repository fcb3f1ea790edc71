// SPDX-License-Identifier: MIT
// mutant: nothing waits for the copies into the tile
// chapter: 09 forward
// expect: MEMORY|RACE never waited for
// shape: B2 H33 L100 K23
#include <cuda_pipeline_primitives.h>

#define __pipeline_wait_prior(n) ((void)(n))

#include "../solutions/09-dwconv-floor/forward.cu"
