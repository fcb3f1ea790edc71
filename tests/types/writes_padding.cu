// SPDX-License-Identifier: MIT
// mutant: writes beyond the ends of its rows
// op: gemm_f32
// expect: WRONG padding
// say: is padding, got 0
#define AFTER if (col == s.N - 1 && s.ldc > s.N && row < s.M - 1) c[1] = 0
#include "gemm.cuh"
