// SPDX-License-Identifier: MIT
// mutant: the copy engine stores sums that no fence has made visible to it
// chapter: 17 gemm
// expect: RACE
#include "op/gemm_hopper.cuh"

#define async_fence() ((void)0)

#include "../solutions/17-gemm-hopper/gemm.cu"
