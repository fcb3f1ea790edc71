// SPDX-License-Identifier: MIT
// mutant: the last stripe is taken to be as tall as the others
// chapter: 17 few
// expect: WRONG|RACE
#include "op/gemm_hopper_few.cuh"

static const int first = 0; // where nothing hides it

#define min(whole, left) min(whole, (left) + first)

#include "../solutions/17-gemm-hopper/few.cu"
