// SPDX-License-Identifier: MIT
// mistake: __pipeline_memcpy_async with a size of 2 bytes, which stops the kernel
// chapter: 12 gemm
// expect: CRASH the kernel stopped itself
// say: Is its size 4, 8 or 16 bytes
// say: [0-9]+ \| __pipeline_memcpy_async
//> todo kernel
#include <cuda_pipeline_primitives.h>

enum { TILE = 32 };

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ float element;

    __pipeline_memcpy_async(&element, A, 2);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads(); // the element is here: it may be read
    C[0] = element * B[0] * alpha + beta;
}
//< todo
