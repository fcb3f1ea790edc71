// SPDX-License-Identifier: MIT
// mutant: rounds to tf32 where fp32 is asked for
// op: gemm_f32
// expect: WRONG rounding
// say: fp32 allows
#define FACTOR(x) __uint_as_float(__float_as_uint(x) & ~0x1fffu)
#include "gemm.cuh"
