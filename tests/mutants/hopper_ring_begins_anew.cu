// SPDX-License-Identifier: MIT
// mutant: every tile begins with the ring's first pair, as if it were new
// chapter: 17 gemm
// expect: WRONG|RACE|TIMEOUT
#include "op/gemm_hopper.cuh"

#define gridDim (slot.at = slot.parity = 0, gridDim)

#include "../solutions/17-gemm-hopper/gemm.cu"
