// SPDX-License-Identifier: MIT
// mutant: no lane waits for what other lanes copied of A
// chapter: 15 few
// expect: RACE
// shape: M8 N260 K400
#define __syncwarp() (void)0

#include "../solutions/15-gemm-async-pipeline/few.cu"
