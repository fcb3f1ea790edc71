// SPDX-License-Identifier: MIT
// mutant: fragments are still loaded word by word
// chapter: 16 matrices
// expect: TECHNIQUE
#include "../solutions/16-gemm-tensor-core/fragments.cu"
