// SPDX-License-Identifier: MIT
// mutant: rows of A are still the rows of the instruction
// chapter: 16 turned
// expect: TECHNIQUE
#include "../solutions/16-gemm-tensor-core/gemm.cu"
