// SPDX-License-Identifier: MIT
// mutant: leaves out the products that are NaN
// op: gemm_f32
// expect: WRONG
// say: special inputs
#define ADD(sum, a, b) ((a) * (b) != (a) * (b) ? (sum) : (sum) + (a) * (b))
#include "gemm.cuh"
