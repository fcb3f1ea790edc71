// SPDX-License-Identifier: MIT
// mutant: 8 x 8 sums per thread from global memory, beside idle stores and loads
// chapter: 13 column
// expect: TECHNIQUE bytes_asked_again_per_byte 0.7.* <= 0.05 MISSED
// say: share no tile
// shape: M128 N128 K128
#include "../tests/mutants/gemm_shares_idle_stores.cu"
