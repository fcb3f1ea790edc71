// SPDX-License-Identifier: MIT
// mutant: all wait for the other parity
// chapter: 17 roles
// expect: MEMORY|RACE|TIMEOUT
// shape: M130 N131 K65
#include "op/gemm_hopper.cuh"

#define barrier_wait(barrier, parity) barrier_wait(barrier, (parity) ^ 1)

#include "../solutions/17-gemm-hopper/roles.cu"
