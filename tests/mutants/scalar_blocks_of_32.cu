// SPDX-License-Identifier: MIT
// mutant: blocks of one warp: most of the time goes into starting them
// chapter: 18 scalar
// expect: SLOW
// say: give a block more threads
// Stage 18, elementwise functions: ReLU, step 1, one element per thread.
// New: a function of one element; all that costs anything is its bytes.
// Before: stage 01 is the same kernel, with two inputs and a sum.
// Counter: global_bytes_over_compulsory is 1: each byte moves once.

#include "op/elementwise.h"

enum { THREADS = 32 }; // per block

// y[i] = max(x[i], 0). The comparison is false for NaN, which so stays NaN.
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N;

    (void)workspace;
    unsigned blocks = (n - 1) / THREADS + 1;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}
