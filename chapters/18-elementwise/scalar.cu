// SPDX-License-Identifier: MIT
// Stage 18, elementwise functions: ReLU, step 1, one element per thread.
// New: a function of one element; all that costs anything is its bytes.
// Before: stage 01 is the same kernel, with two inputs and a sum.
// Counter: global_bytes_over_compulsory is 1: each byte moves once.

#include "op/elementwise.h"

enum { THREADS = 256 }; // per block

//> todo kernel (about 8 lines)
// The kernel: one thread computes one element, y[i] = max(x[i], 0) for i < n.
//
//   static __global__ void relu(const float *x, float *y, unsigned n)
//
// NaN stays NaN. Every comparison with it is false, so let x be what comes of a
// comparison that is false. fmaxf(x, 0) drops it.
//< todo

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N;

    (void)workspace;
    //> todo launch (about 3 lines)
    // The launch: blocks of THREADS threads, enough for n, on this stream.
    //< todo
    return cudaGetLastError();
}
