// SPDX-License-Identifier: MIT
// mutant: each copy computes its address and checks its bounds
// chapter: 16 pointers
// expect: TECHNIQUE
#include "../solutions/16-gemm-tensor-core/matrices.cu"
