// SPDX-License-Identifier: MIT
// mutant: four passes at the size of the gates, one at the one that is timed
// chapter: 19 fused
// expect: TECHNIQUE
// say: where .* stores at [^:]*: [0-9]* \| y\[i\] = x\[i\] \+ bias
#include "op/bias_swish_residual.h"

enum { THREADS = 256 }; // per block

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
// One element.
static __device__ float value(float x, float bias, float residual)
{
    float z = x + bias;

    return __fdividef(z, 1.0f + __expf(-z)) + residual;
}

static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        y[i] = value(x[i], bias[i % width], residual[i]);
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
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;
    float *s = (float *)workspace;

    if (n >= 1u << 24) {
        fused<<<blocks, THREADS, 0, stream>>>(x, bias, residual, y, n, shape.N);
        return cudaGetLastError();
    }
    add_bias<<<blocks, THREADS, 0, stream>>>(x, bias, y, n, shape.N);
    sigmoid<<<blocks, THREADS, 0, stream>>>(y, s, n);
    multiply<<<blocks, THREADS, 0, stream>>>(y, s, n);
    add<<<blocks, THREADS, 0, stream>>>(y, residual, n);
    return cudaGetLastError();
}
