// SPDX-License-Identifier: MIT
// mutant: the last block reads parts that no fence has made visible to it
// chapter: 15 few
// expect: RACE
// shape: M8 N260 K900
#define __threadfence() (void)0

#include "../solutions/15-gemm-async-pipeline/few.cu"
