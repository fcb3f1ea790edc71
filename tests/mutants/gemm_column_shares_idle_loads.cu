// SPDX-License-Identifier: MIT
// mutant: 8 x 8 sums per thread from global memory, beside idle shared loads
// chapter: 13 column
// expect: TECHNIQUE shared_stores_per_load .* MISSED
// say: serves one thread alone
// shape: M128 N128 K128
#include "../tests/mutants/gemm_shares_idle_loads.cu"
