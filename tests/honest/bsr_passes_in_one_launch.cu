// SPDX-License-Identifier: MIT
// honest: four passes in one cooperative launch, with barriers of the grid
// chapter: 19 passes
// expect: PASS
#include <cooperative_groups.h>

#include "op/bias_swish_residual.h"

enum { THREADS = 256, BLOCKS = 64 };

static __global__ void passes(const float *x, const float *bias,
                              const float *residual, float *y, float *s,
                              unsigned n, unsigned width)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned first = blockIdx.x * THREADS + threadIdx.x;
    unsigned step = gridDim.x * THREADS;

    for (unsigned i = first; i < n; i += step)
        y[i] = x[i] + bias[i % width];
    grid.sync(); // the sums are there
    for (unsigned i = first; i < n; i += step)
        s[i] = __fdividef(1.0f, 1.0f + __expf(-y[i]));
    grid.sync(); // the sigmoids, too
    for (unsigned i = first; i < n; i += step)
        y[i] = y[i] * s[i];
    grid.sync(); // the products
    for (unsigned i = first; i < n; i += step)
        y[i] = y[i] + residual[i];
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
    unsigned n = shape.M * shape.N, width = shape.N;
    float *s = (float *)workspace;
    void *arguments[] = {&x, &bias, &residual, &y, &s, &n, &width};

    return cudaLaunchCooperativeKernel((const void *)passes, dim3(BLOCKS),
                                       dim3(THREADS), arguments, 0, stream);
}
