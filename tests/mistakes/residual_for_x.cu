// SPDX-License-Identifier: MIT
// mistake: two arguments of the launch exchanged
// chapter: 19 fused
// expect: WRONG misplaced
// say: the inputs x and residual were exchanged
// say: order of the arguments
#include "op/bias_swish_residual.h"

static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float z = x[i] + bias[i % width];

        y[i] = __fdividef(z, 1.0f + __expf(-z)) + residual[i];
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
    unsigned n = shape.M * shape.N;

    (void)workspace;
    fused<<<(n + 255) / 256, 256, 0, stream>>>(residual, bias, x, y, n,
                                               shape.N);
    return cudaGetLastError();
}
