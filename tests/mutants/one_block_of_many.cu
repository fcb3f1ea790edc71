// SPDX-License-Identifier: MIT
// mutant: a block per 256 outputs, of which the first computes all
// chapter: 05 forward
// expect: SLOW PREDICTED
// say: few blocks do most of the work
#include "op/dwconv.h"

enum { THREADS = 256 };

static __device__ float output(const float *x, const float *w,
                               struct dwconv_shape s, unsigned i)
{
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;

    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
    return sum;
}

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;

    if (blockIdx.x > 0)
        return;
    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        y[i] = output(x, w, s, i);
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
    unsigned n = shape.B * shape.H * shape.L;
    (void)workspace;
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(x, w, y,
                                                                 shape);
    return cudaGetLastError();
}
