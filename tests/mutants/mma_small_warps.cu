// SPDX-License-Identifier: MIT
// mutant: a warp owns no more than it did
// chapter: 16 gemm
// expect: TECHNIQUE
#include "../solutions/16-gemm-tensor-core/pointers.cu"
