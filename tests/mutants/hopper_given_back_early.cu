// SPDX-License-Identifier: MIT
// mutant: a pair of tiles is given back while wgmma may still read it
// chapter: 17 roles
// expect: RACE
// shape: M130 N131 K600
#include "op/gemm_hopper.cuh"

template <int N> static __device__ __forceinline__ void wait_less()
{
    wgmma_wait<(N ? 2 : 0)>();
}
#define wgmma_wait wait_less

#include "../solutions/17-gemm-hopper/roles.cu"
