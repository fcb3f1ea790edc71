// SPDX-License-Identifier: MIT
// honest: each thread copies its 16 bytes to shared memory, and loads nothing
// chapter: 18 relu
// expect: PASS
#include <cuda_pipeline_primitives.h>

#include "op/elementwise.h"

enum { THREADS = 256 };

static __device__ float positive(float x)
{
    return x < 0.0f ? 0.0f : x; // NaN stays
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    __shared__ float4 in[THREADS];
    unsigned first = (blockIdx.x * THREADS + threadIdx.x) * 4;

    if (first + 3 < n) {
        __pipeline_memcpy_async(in + threadIdx.x, x + first, sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(0); // nobody else reads it

        float4 v = in[threadIdx.x];

        *(float4 *)(y + first) = make_float4(positive(v.x), positive(v.y),
                                             positive(v.z), positive(v.w));
    } else
        for (unsigned i = first; i < n; i++)
            y[i] = positive(x[i]);
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N, threads = (n - 1) / 4 + 1;

    (void)workspace;
    relu<<<(threads - 1) / THREADS + 1, THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}
