// SPDX-License-Identifier: MIT
// mutant: forgets alpha
// op: gemm_f32
// expect: WRONG
// say: alpha = 
#define RESULT(sum, c) (beta == 0.0f ? (sum) : (sum) + beta * *(c))
#include "gemm.cuh"
