// SPDX-License-Identifier: MIT
// mutant: of a block's images, each warp does one
// chapter: 22 evonorm_b0
// expect: WRONG
#include "op/evonorm.h"
#include "op/channel_cluster.cuh"

#define blockDim dim3(1 << 20)

#include "../solutions/22-evonorm/evonorm_b0.cu"
