// SPDX-License-Identifier: MIT
// Four passes in one launch of BLOCKS blocks. The first POLL threads of each
// poll for the end of a pass, as in a program without cooperative groups.
#include "op/bias_swish_residual.h"

// Blocks that have come to a barrier; it counts on from launch to launch.
static __device__ unsigned arrived;

static __device__ void meet(void)
{
    __shared__ unsigned all;

    __threadfence(); // what this thread wrote is there
    __syncthreads(); // what the block wrote is
    if (threadIdx.x == 0)
        all = (atomicAdd(&arrived, 1) / BLOCKS + 1) * BLOCKS;
    __syncthreads(); // all know how many are awaited
    if (threadIdx.x < POLL)
        while ((int)(*(volatile unsigned *)&arrived - all) < 0)
            ;
    __threadfence(); // what others wrote is there
    __syncthreads(); // for all threads
}

static __global__ void passes(const float *x, const float *bias,
                              const float *residual, float *y, float *s,
                              unsigned n, unsigned width)
{
    unsigned first = blockIdx.x * BSR_THREADS + threadIdx.x;
    unsigned step = gridDim.x * BSR_THREADS;

    for (unsigned i = first; i < n; i += step)
        y[i] = x[i] + bias[i % width];
    meet(); // the sums are there
    for (unsigned i = first; i < n; i += step)
        s[i] = __fdividef(1.0f, 1.0f + __expf(-y[i]));
    meet(); // the sigmoids, too
    for (unsigned i = first; i < n; i += step)
        y[i] = y[i] * s[i];
    meet(); // the products
    for (unsigned i = first; i < n; i += step)
        y[i] = y[i] + residual[i];
}

size_t bias_swish_residual_workspace(struct bias_swish_residual_shape shape)
{
    return (size_t)shape.M * shape.N * sizeof(float); // the sigmoids
}

cudaError_t bias_swish_residual(const float *x, const float *bias,
                                const float *residual, float *y,
                                struct bias_swish_residual_shape shape,
                                void *workspace, cudaStream_t stream)
{
    unsigned n = shape.M * shape.N;

    passes<<<BLOCKS, BSR_THREADS, 0, stream>>>(
        x, bias, residual, y, (float *)workspace, n, shape.N);
    return cudaGetLastError();
}
