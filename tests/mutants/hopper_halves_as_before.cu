// SPDX-License-Identifier: MIT
// mutant: few rows have as many blocks as they have tiles of 64 x 128, as before
// chapter: 17 halves
// expect: TECHNIQUE blocks_at_work
#include "../solutions/17-gemm-hopper/few.cu"
