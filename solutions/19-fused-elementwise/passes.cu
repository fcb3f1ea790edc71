// SPDX-License-Identifier: MIT
// Stage 19, bias, Swish and residual: step 1, four passes.
// New: each operation is a kernel, as a framework without fusion runs them.
// Before: stage 18; one function, one pass.
// Counter: global_bytes_over_compulsory is 3.7: 10 arrays move, not 3.

#include "op/bias_swish_residual.h"

enum { THREADS = 256 }; // per block

//> todo kernel (about 30 lines)
// y = x + bias
static __global__ void add_bias(const float *x, const float *bias, float *y,
                                unsigned n, unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        y[i] = x[i] + bias[i % width];
}

// s = sigmoid(y)
static __global__ void sigmoid(const float *y, float *s, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        s[i] = __fdividef(1.0f, 1.0f + __expf(-y[i]));
}

// y = y s
static __global__ void multiply(float *y, const float *s, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = y[i] * s[i];
}

// y = y + residual
static __global__ void add(float *y, const float *residual, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = y[i] + residual[i];
}
//< todo

size_t bias_swish_residual_workspace(struct bias_swish_residual_shape shape)
{
    //> todo workspace (about 1 line)
    return (size_t)shape.M * shape.N * sizeof(float); // the sigmoids
    //< todo
}

cudaError_t bias_swish_residual(const float *x, const float *bias,
                                const float *residual, float *y,
                                struct bias_swish_residual_shape shape,
                                void *workspace, cudaStream_t stream)
{
    //> todo launch (about 8 lines)
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;
    float *s = (float *)workspace;

    add_bias<<<blocks, THREADS, 0, stream>>>(x, bias, y, n, shape.N);
    sigmoid<<<blocks, THREADS, 0, stream>>>(y, s, n);
    multiply<<<blocks, THREADS, 0, stream>>>(y, s, n);
    add<<<blocks, THREADS, 0, stream>>>(y, residual, n);
    //< todo
    return cudaGetLastError();
}
