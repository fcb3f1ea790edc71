// SPDX-License-Identifier: MIT
// mutant: no shared memory, but 16 bytes by each global load
// chapter: 14 loads
// expect: TECHNIQUE global_load_requests_per_flop .* MISSED
// shape: M256 N256 K64
#include "../tests/mutants/gemm_unshared.cuh"
