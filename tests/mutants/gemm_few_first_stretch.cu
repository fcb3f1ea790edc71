// SPDX-License-Identifier: MIT
// mutant: a second stretch of A is never loaded
// chapter: 15 few
// expect: WRONG
#include "op/gemm_few.cuh"

#define few_stretch if (first == t.begin) few_stretch

#include "../solutions/15-gemm-async-pipeline/few.cu"
