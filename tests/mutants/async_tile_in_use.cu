// SPDX-License-Identifier: MIT
// mutant: the next tile is copied over the one in use
// chapter: 09 forward
// expect: MEMORY|RACE|WRONG
// shape: B2 H33 L100 K23
#include <cuda_pipeline_primitives.h>

#define empty other // so that both pointers name the tile at work

#include "../solutions/09-dwconv-floor/forward.cu"
