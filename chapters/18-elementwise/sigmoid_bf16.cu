// SPDX-License-Identifier: MIT
// Stage 18, elementwise functions: sigmoid, bf16.
// New: twice the exponentials per byte.
// Before: fp32; the same formula.
// Counter: global_bytes_over_compulsory is 1 still: arithmetic is hidden.

#include <cuda_bf16.h>

#include "op/elementwise.h"

enum {
    THREADS = 256, // per block
    VECTOR = 8     // elements of 16 bytes
};

static __device__ float value(float x) // of one element
{
    return __fdividef(1.0f, 1.0f + __expf(-x));
}

// Of eight elements, in pairs: computed in fp32, rounded once at the end.
static __device__ uint4 values(uint4 v)
{
    //> todo values (about 9 lines)
    // Replace each of the eight elements by its value. Each of v.x, v.y, v.z
    // and v.w holds two bf16; __bfloat1622float2 makes two floats of a pair,
    // and __floats2bfloat162_rn a pair of two floats, rounded.
    //< todo
    return v;
}

// The elements after the last vector fall to the first threads.
static __global__ void map(const elementwise_bf16_t *x, elementwise_bf16_t *y,
                           unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors)
        ((uint4 *)y)[i] = values(((const uint4 *)x)[i]);
    if (i < n - done)
        y[done + i] = __float2bfloat16(value(__bfloat162float(x[done + i])));
}

cudaError_t elementwise_sigmoid_bf16(const elementwise_bf16_t *x,
                                     elementwise_bf16_t *y,
                                     struct elementwise_shape shape,
                                     void *workspace, cudaStream_t stream)
{
    unsigned n = shape.N, blocks = (n - 1) / (THREADS * VECTOR) + 1;

    (void)workspace;
    map<<<blocks, THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}
