// SPDX-License-Identifier: MIT
// mutant: fewer bytes are announced than the copies bring
// chapter: 17 tma
// expect: RACE
// shape: M130 N131 K65
#include "op/gemm_hopper.cuh"

#define barrier_expect(barrier, bytes) barrier_expect(barrier, (bytes) - 128)

#include "../solutions/17-gemm-hopper/tma.cu"
