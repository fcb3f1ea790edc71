// SPDX-License-Identifier: MIT
// mutant: makes infinities finite
// op: gemm_f32
// expect: WRONG
// say: special inputs
#define RESULT(sum, c)                                                        \
    fminf(fmaxf(beta == 0.0f ? alpha * (sum)                                  \
                             : alpha * (sum) + beta * *(c), -1e30f), 1e30f)
#include "gemm.cuh"
