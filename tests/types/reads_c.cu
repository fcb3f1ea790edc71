// SPDX-License-Identifier: MIT
// mutant: reads C where beta is 0
// op: gemm_f32
// expect: WRONG
// say: is NaN
#define RESULT(sum, c) (alpha * (sum) + beta * *(c))
#include "gemm.cuh"
