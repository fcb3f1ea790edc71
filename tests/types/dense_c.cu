// SPDX-License-Identifier: MIT
// mutant: writes C as if it had no padding
// op: gemm_f32
// expect: WRONG
// say: ldC
#define LDC s.N
#include "gemm.cuh"
