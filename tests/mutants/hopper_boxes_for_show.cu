// SPDX-License-Identifier: MIT
// mutant: threads copy A and B, beside bulk copies that nobody reads
// chapter: 17 tma
// expect: TECHNIQUE loads_by_threads 480 <= 100 MISSED
// say: Its warps load 480 times
// shape: M128 N256 K320
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"
#include "op/row_barrier.cuh"

enum { PART = 40960 }; // bytes: a half of A, a quarter of B

static __global__ void show(const char *A, const char *B)
{
    __shared__ __align__(128) char to[PART];
    __shared__ uint64_t here;
    int part = blockIdx.x;

    if (threadIdx.x == 0) {
        bar_init(&here, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        bar_expect(&here, PART);
        bulk_in(to, part < 2 ? A + part * PART : B + (part - 2) * PART, PART,
                &here);
        bar_wait(&here, 0);
    }
}

#define __pipeline_memcpy_async(to, from, bytes, zeros)                        \
    (*(uint4 *)(to) =                                                          \
         (zeros) ? make_uint4(0, 0, 0, 0) : *(const uint4 *)(from))
#define cudaGetLastError()                                                     \
    (show<<<6, 32, 0, stream>>>((const char *)A, (const char *)B),             \
     cudaGetLastError())

#include "../solutions/17-gemm-hopper/wgmma.cu"
