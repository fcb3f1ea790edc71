// SPDX-License-Identifier: MIT
// mutant: forgets what C held
// op: gemm_f32
// expect: WRONG
#define RESULT(sum, c) (alpha * (sum))
#include "gemm.cuh"
