// SPDX-License-Identifier: MIT
// mistake: tiles of a short row are rounded down to 0, and divided by
// chapter: 05 forward
// expect: MEMORY
// say: after it divided by 0 at forward\.cu:[0-9]+
// say: A quotient of integers is rounded down
#include "op/dwconv.h"

enum { THREADS = 256 }; // per block, and outputs of one row

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    int tiles = s.L / THREADS;
    int row = blockIdx.x / tiles;
    int h = row % s.H;
    int t = blockIdx.x % tiles * THREADS + threadIdx.x;
    float sum = 0.0f;

    if (t >= s.L)
        return;
    for (int k = 0; k < s.K && k <= t; k++)
        sum += w[h * s.K + k] * x[row * s.L + t - k];
    y[row * s.L + t] = sum;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned tiles = (shape.L + THREADS - 1) / THREADS;

    (void)workspace;
    forward<<<(unsigned)shape.B * shape.H * tiles, THREADS, 0, stream>>>(
        x, w, y, shape);
    return cudaGetLastError();
}
