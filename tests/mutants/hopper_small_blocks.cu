// SPDX-License-Identifier: MIT
// mutant: a block per tile again, with so few threads that their sum is small
// chapter: 17 tiles
// expect: TECHNIQUE
// patience: 300
#include "../solutions/17-gemm-hopper/tma.cu"
