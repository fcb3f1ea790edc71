// SPDX-License-Identifier: MIT
// mutant: sums in bf16
// op: gemm_bf16
// expect: WRONG
#define LAUNCHER gemm_bf16
#define QUERY gemm_bf16_workspace
#define IN __nv_bfloat16
#define ADD(sum, a, b) __bfloat162float(__float2bfloat16((sum) + (a) * (b)))
#include "gemm.cuh"
