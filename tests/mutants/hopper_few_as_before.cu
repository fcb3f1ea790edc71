// SPDX-License-Identifier: MIT
// mutant: small products leave most multiprocessors idle, as before
// chapter: 17 few
// expect: TECHNIQUE
#include "../solutions/17-gemm-hopper/gemm.cu"
