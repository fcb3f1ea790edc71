// SPDX-License-Identifier: MIT
// honest: cp.async and its groups in inline PTX
// chapter: 15 copies
// expect: PASS
#include <cuda_pipeline_primitives.h>

static __device__ __forceinline__ void copy_async(void *to, const void *from,
                                                  int size, int zeros)
{
    unsigned there = (unsigned)__cvta_generic_to_shared(to);

    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :: "r"(there), "l"(from), "r"(16 - zeros) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :: "r"(there), "l"(from), "r"(4 - zeros) : "memory");
}

static __device__ __forceinline__ void wait_but(int groups)
{
    if (groups == 0)
        asm volatile("cp.async.wait_all;" ::: "memory");
    else
        asm volatile("cp.async.wait_group 1;" ::: "memory");
}

#define __pipeline_memcpy_async(to, from, size, zeros) \
    copy_async(to, from, size, zeros)
#define __pipeline_commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define __pipeline_wait_prior(n) wait_but(n)

#include "../solutions/15-gemm-async-pipeline/copies.cu"
