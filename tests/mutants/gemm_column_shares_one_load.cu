// SPDX-License-Identifier: MIT
// mutant: 8 x 8 sums per thread from global memory, beside one shared load
// chapter: 13 column
// expect: TECHNIQUE shared_load_requests_per_flop .* MISSED
// say: too few to feed the product
// shape: M128 N128 K128
#include "../tests/mutants/gemm_shares_one_load.cu"
