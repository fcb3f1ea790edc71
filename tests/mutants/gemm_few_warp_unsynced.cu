// SPDX-License-Identifier: MIT
// mutant: no lane waits for what other lanes copied of A
// chapter: 15 few
// expect: RACE
// shape: M20 N5701 K41
#define __syncwarp() (void)0

#include "../solutions/15-gemm-async-pipeline/few.cu"
