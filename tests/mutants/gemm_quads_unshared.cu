// SPDX-License-Identifier: MIT
// mutant: no shared memory: it makes too few loads of it, and no conflicts
// chapter: 14 quads
// expect: TECHNIQUE global_load_requests_per_flop .* MISSED
// shape: M256 N256 K64
#include "../tests/mutants/gemm_unshared.cuh"
