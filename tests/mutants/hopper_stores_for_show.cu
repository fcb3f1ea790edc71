// SPDX-License-Identifier: MIT
// mutant: exchanges are no stores, and the copy engine stores what nobody reads
// chapter: 17 gemm
// expect: TECHNIQUE global_atomics .* MISSED
// shape: M128 N512 K128
#include "op/gemm.h"
#include "op/gemm_hopper.cuh"

// Two neighbours of C, which are not stored but exchanged.
struct exchanged {
    unsigned bits;

    __device__ void operator=(__nv_bfloat162 two)
    {
        atomicExch(&bits, *(unsigned *)&two);
    }
};

static __device__ unsigned char nowhere[4][32768];

static __global__ void show(void)
{
    __shared__ __align__(16) unsigned char from[sizeof *nowhere];

    for (unsigned i = threadIdx.x; i < sizeof from; i += blockDim.x)
        from[i] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 ::"l"(__cvta_generic_to_global(nowhere[blockIdx.x])),
                 "r"((unsigned)__cvta_generic_to_shared(from)),
                 "n"(sizeof from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

#define __nv_bfloat162 struct exchanged // below, where step 4 stores
#define cudaGetLastError() (show<<<4, 128, 0, stream>>>(), cudaGetLastError())

#include "../solutions/17-gemm-hopper/tiles.cu"
