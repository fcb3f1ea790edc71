// SPDX-License-Identifier: MIT
// mutant: a block per 256 elements, of which the last takes all
// chapter: 18 scalar
// expect: SLOW PREDICTED to take at least
// say: few blocks do most of the work
#include "op/elementwise.h"

enum { THREADS = 256 };

static __global__ void relu(const float *x, float *y, unsigned n)
{
    if (blockIdx.x + 1 < gridDim.x)
        return;
    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N;

    (void)workspace;
    relu<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}
