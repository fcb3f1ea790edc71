// SPDX-License-Identifier: MIT
// mutant: leaves C as it was where beta is 1
// op: gemm_f32
// expect: WRONG kept
// say: beta = 1
#define RESULT(sum, c)                                                        \
    (beta == 1.0f   ? *(c)                                                    \
     : beta == 0.0f ? alpha * (sum)                                           \
                    : alpha * (sum) + beta * *(c))
#include "gemm.cuh"
