// SPDX-License-Identifier: MIT
// mutant: x comes by copies of 4 bytes, beside a few wide loads for show
// chapter: 18 relu
// expect: TECHNIQUE global_load_bytes_per_request .* >= 500 MISSED
// say: A warp's load asks for
// shape: N1000000
#include <cuda_pipeline_primitives.h>

#include "op/elementwise.h"

enum { THREADS = 256, SHARE = 4 * THREADS };

static __global__ void relu(const float *x, float *y, unsigned n)
{
    __shared__ __align__(16) float in[SHARE];
    unsigned first = blockIdx.x * SHARE, mine = 4 * threadIdx.x;

    for (unsigned i = threadIdx.x; i < SHARE; i += THREADS)
        if (first + i < n)
            __pipeline_memcpy_async(in + i, x + first + i, sizeof(float));
    __pipeline_commit();
    if (blockIdx.x % 64 == 0) { // what is loaded here is used by nobody
        float4 v;

        asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(x + first + mine));
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // all of the block's share is there
    if (first + mine < n) { // n is a multiple of 4 here
        float4 v = *(const float4 *)(in + mine);

        v.x = v.x < 0.0f ? 0.0f : v.x;
        v.y = v.y < 0.0f ? 0.0f : v.y;
        v.z = v.z < 0.0f ? 0.0f : v.z;
        v.w = v.w < 0.0f ? 0.0f : v.w;
        *(float4 *)(y + first + mine) = v;
    }
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N;

    (void)workspace;
    relu<<<(n - 1) / SHARE + 1, THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}
