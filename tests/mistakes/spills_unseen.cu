// SPDX-License-Identifier: MIT
// mistake: more values per thread than it has registers, and loads apart
// chapter: 05 forward
// expect: TECHNIQUE
// say: ptxas spilled [0-9]+ bytes: a thread wants more registers than it has
// say: why
#include "op/dwconv.h"

enum { THREADS = 1024, ROWS = 32 }; // per block; rows of one thread

// Two blocks of 1024 threads leave each 32 registers.
static __global__ void __launch_bounds__(THREADS, 2)
forward(const float *x, const float *w, float *y, struct dwconv_shape s)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    int h = i % s.H, t = i / s.H % s.L, b0 = i / s.H / s.L * ROWS;
    float sum[ROWS] = {0.0f};

    if (b0 >= s.B)
        return;
    for (int k = 0; k < s.K && k <= t; k++)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (b0 + r < s.B)
                sum[r] += w[h * s.K + k] *
                          x[((size_t)(b0 + r) * s.H + h) * s.L + t - k];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (b0 + r < s.B)
            y[((size_t)(b0 + r) * s.H + h) * s.L + t] = sum[r];
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
    unsigned groups = (shape.B + ROWS - 1) / ROWS;
    unsigned n = groups * shape.H * shape.L;

    (void)workspace;
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(x, w, y,
                                                                shape);
    return cudaGetLastError();
}
