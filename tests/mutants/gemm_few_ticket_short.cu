// SPDX-License-Identifier: MIT
// mutant: the last block but one already adds the parts up
// chapter: 15 few
// expect: RACE|WRONG|MEMORY
// shape: M8 N260 K900
#define atomicInc(at, most) (atomicInc(at, most) + 1)

#include "../solutions/15-gemm-async-pipeline/few.cu"
