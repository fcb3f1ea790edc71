// SPDX-License-Identifier: MIT
// honest: barriers are polled, and never put a thread to sleep
// chapter: 17 gemm
// expect: PASS
#include "op/gemm_hopper.cuh"

static __device__ __forceinline__ void poll(uint64_t *barrier, unsigned parity)
{
    unsigned over = 0;

    while (!over)
        asm volatile("{\n.reg .pred over;\n"
                     "mbarrier.test_wait.parity.shared::cta.b64 over, [%1], "
                     "%2;\nselp.b32 %0, 1, 0, over;\n}\n"
                     : "=r"(over)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}
#define barrier_wait poll

#include "../solutions/17-gemm-hopper/gemm.cu"
