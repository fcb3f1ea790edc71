// SPDX-License-Identifier: MIT
// honest: a thread keeps its column's bias and walks down 16 rows
// chapter: 19 fused
// expect: PASS
#include "op/bias_swish_residual.h"

enum { THREADS = 128, DOWN = 16 };

static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y,
                             struct bias_swish_residual_shape s)
{
    unsigned strips = (s.N + THREADS - 1) / THREADS;
    unsigned col = blockIdx.x % strips * THREADS + threadIdx.x;
    unsigned first = blockIdx.x / strips * DOWN;
    if (col >= (unsigned)s.N)
        return;
    float b = bias[col];

#pragma unroll 4
    for (unsigned row = first; row < first + DOWN; row++)
        if (row < (unsigned)s.M) {
            size_t i = (size_t)row * s.N + col;
            float z = x[i] + b;
            y[i] = __fdividef(z, 1 + __expf(-z)) + residual[i];
        }
}

size_t bias_swish_residual_workspace(struct bias_swish_residual_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t bias_swish_residual(const float *x, const float *bias,
                                const float *residual, float *y,
                                struct bias_swish_residual_shape shape,
                                void *workspace, cudaStream_t stream)
{
    (void)workspace;
    unsigned strips = (shape.N + THREADS - 1) / THREADS;
    unsigned bands = (shape.M + DOWN - 1) / DOWN;

    fused<<<strips * bands, THREADS, 0, stream>>>(x, bias, residual, y, shape);
    return cudaGetLastError();
}
