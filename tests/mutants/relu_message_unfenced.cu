// SPDX-License-Identifier: MIT
// mutant: a block leaves a bound for the others, and its flag, both volatile
// chapter: 18 scalar
// expect: RACE
// say: no __threadfence\(\) came between
// say: raises the flag
#include "op/elementwise.h"

enum { THREADS = 256 };

static __device__ volatile float bound;
static __device__ volatile unsigned ready;

static __global__ void relu(const float *x, float *y, unsigned n,
                            unsigned launch)
{
    __shared__ float least;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (threadIdx.x == 0 && blockIdx.x == 0) {
        bound = 0.0f;
        ready = launch;
    }
    if (threadIdx.x == 0) {
        while (ready != launch)
            ;
        least = bound;
    }
    __syncthreads();
    if (i < n)
        y[i] = x[i] < least ? least : x[i];
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    static unsigned launch;

    (void)workspace;
    relu<<<(shape.N + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, y, shape.N, ++launch);
    return cudaGetLastError();
}
