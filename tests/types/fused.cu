// SPDX-License-Identifier: MIT
// honest: products that are not rounded
// op: gemm_f32
// expect: PASS
#define ADD(sum, a, b) fmaf(a, b, sum)
#include "gemm.cuh"
