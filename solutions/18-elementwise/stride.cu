// SPDX-License-Identifier: MIT
// Stage 18, elementwise functions: ReLU, step 2, enough bytes in flight.
// New: a thread has FLIGHT loads under way, and strides over the array.
// Before: step 1; one load of 4 bytes per thread, and one block per 256.
// Counter: threads_per_word falls from 1/2 to 1/16 and less.

#include "op/elementwise.h"

enum { THREADS = 256 }; // per block

//> todo kernel (about 32 lines)
enum {
    FLIGHT = 8,              // loads of a thread before its first store
    SHARE = THREADS * FLIGHT, // elements of a block in one round
    MOST = 132 * 2048 / THREADS // blocks that run at a time on an H200
};

// y[i] = max(x[i], 0). The comparison is false for NaN, which so stays NaN.
static __global__ void relu(const float *__restrict__ x,
                            float *__restrict__ y, unsigned n)
{
    for (unsigned first = blockIdx.x * SHARE; first < n;
         first += gridDim.x * SHARE) {
        unsigned i = first + threadIdx.x; // may pass n, in the last round
        float v[FLIGHT];

#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            if (i + j * THREADS < n)
                v[j] = x[i + j * THREADS];
#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            if (i + j * THREADS < n)
                y[i + j * THREADS] = v[j] < 0.0f ? 0.0f : v[j];
    }
}
//< todo

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N;

    (void)workspace;
    //> todo launch (about 4 lines)
    unsigned needed = (n - 1) / SHARE + 1;
    unsigned blocks = needed < MOST ? needed : MOST;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
    //< todo
    return cudaGetLastError();
}
