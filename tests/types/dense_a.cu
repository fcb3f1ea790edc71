// SPDX-License-Identifier: MIT
// mutant: takes A for an array without padding
// op: gemm_f32
// expect: WRONG
// say: ldA
#define LDA s.K
#include "gemm.cuh"
