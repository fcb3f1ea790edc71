// SPDX-License-Identifier: MIT
// honest: fp32 whose low bits are cut off, as a tensor core does
// op: gemm_tf32
// expect: PASS
#define LAUNCHER gemm_tf32
#define QUERY gemm_tf32_workspace
#define FACTOR(x) __uint_as_float(__float_as_uint(x) & ~0x1fffu)
#include "gemm.cuh"
