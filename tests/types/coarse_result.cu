// SPDX-License-Identifier: MIT
// mutant: a result with a bit less than bf16 has
// op: gemm_bf16_bf16
// expect: WRONG
#define LAUNCHER gemm_bf16_bf16
#define QUERY gemm_bf16_bf16_workspace
#define IN __nv_bfloat16
#define OUT __nv_bfloat16
#define RESULT(sum, c)                                                        \
    __uint_as_float(__float_as_uint(                                          \
        beta == 0.0f ? alpha * (sum)                                          \
                     : alpha * (sum) + beta * __bfloat162float(*(c))) &       \
                    ~0x1ffffu)
#include "gemm.cuh"
