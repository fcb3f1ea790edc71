// SPDX-License-Identifier: MIT
// mutant: nobody waits for the barriers that count bytes
// chapter: 17 roles
// expect: MEMORY|RACE
// shape: M130 N131 K65
#include "op/gemm_hopper.cuh"

#define barrier_wait(barrier, parity) ((void)(barrier), (void)(parity))

#include "../solutions/17-gemm-hopper/roles.cu"
