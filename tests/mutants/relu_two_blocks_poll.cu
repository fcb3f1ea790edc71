// SPDX-License-Identifier: MIT
// mutant: two blocks do it all, and all lanes poll for the other block
// chapter: 18 scalar
// expect: SLOW PREDICTED
#include "op/elementwise.h"

enum { THREADS = 256, BLOCKS = 2 };

static __device__ unsigned arrived;

static __device__ void meet(void)
{
    __shared__ unsigned all;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        all = (atomicAdd(&arrived, 1) / BLOCKS + 1) * BLOCKS;
    __syncthreads();
    while ((int)(*(volatile unsigned *)&arrived - all) < 0)
        ;
    __threadfence();
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned first = blockIdx.x * THREADS + threadIdx.x;

    for (unsigned i = first; i < n / 2; i += BLOCKS * THREADS)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
    meet();
    for (unsigned i = n / 2 + first; i < n; i += BLOCKS * THREADS)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    (void)workspace;
    relu<<<BLOCKS, THREADS, 0, stream>>>(x, y, shape.N);
    return cudaGetLastError();
}
