// SPDX-License-Identifier: MIT
// mutant: 8 x 8 sums per thread from global memory, beside idle shared loads
// chapter: 12 gemm
// expect: TECHNIQUE shared_stores_per_load .* MISSED
// say: serves one thread alone
// shape: M128 N128 K128
#define PREPARE                                                                \
    __shared__ volatile float show[256];                                       \
    show[threadIdx.x] = 0.0f;
#define STEP                                                                   \
    for (int i = 0; i < 8; i++)                                                \
        sum[0][0] += show[threadIdx.x];
#include "../tests/mutants/gemm_unshared.cuh"
