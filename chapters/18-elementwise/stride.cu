// SPDX-License-Identifier: MIT
// Stage 18, elementwise functions: ReLU, step 2, enough bytes in flight.
// New: a thread has FLIGHT loads under way, and strides over the array.
// Before: step 1; one load of 4 bytes per thread, and one block per 256.
// Counter: threads_per_word falls from 1/2 to 1/16 and less.

#include "op/elementwise.h"

enum { THREADS = 256 }; // per block

//> todo kernel (about 32 lines)
// y[i] = max(x[i], 0). The comparison is false for NaN, which so stays NaN.
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N;

    (void)workspace;
    //> todo launch (about 4 lines)
    unsigned blocks = (n - 1) / THREADS + 1;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
    //< todo
    return cudaGetLastError();
}
