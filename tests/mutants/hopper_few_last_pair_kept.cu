// SPDX-License-Identifier: MIT
// mutant: the last pair of a tile is never given back
// chapter: 17 few
// expect: TIMEOUT
#include "op/gemm_hopper_few.cuh"

static const int first = 0; // where the loop over k does not hide it

#define barrier_arrive(barrier) (first > 0 ? barrier_arrive(barrier) : void())

#include "../solutions/17-gemm-hopper/few.cu"
