// SPDX-License-Identifier: MIT
// mutant: no shared memory, so no loads of it
// chapter: 15 registers
// expect: TECHNIQUE global_load_requests_per_flop .* MISSED
// shape: M256 N256 K128
#include "../tests/mutants/gemm_unshared.cuh"
