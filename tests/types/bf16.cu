// SPDX-License-Identifier: MIT
// honest: bf16 in, fp32 out
// op: gemm_bf16
// expect: PASS
#define LAUNCHER gemm_bf16
#define QUERY gemm_bf16_workspace
#define IN __nv_bfloat16
#include "gemm.cuh"
