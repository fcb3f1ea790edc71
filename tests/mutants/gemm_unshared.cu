// SPDX-License-Identifier: MIT
// mutant: no shared memory, so no wavefronts of it
// chapter: 14 gemm
// expect: TECHNIQUE global_load_requests_per_flop .* MISSED
// shape: M256 N256 K64
#include "../tests/mutants/gemm_unshared.cuh"
