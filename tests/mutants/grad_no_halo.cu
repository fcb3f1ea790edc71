// SPDX-License-Identifier: MIT
// mutant: drops the taps that reach into the next tile
// chapter: 05 input_grad
// expect: WRONG logic
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void input_grad(const float *dy, const float *w, float *dx,
                                  struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    int end = min(s.L, (t / 128 + 1) * 128);
    for (int k = 0; k < s.K && k < end - t; k++)
        sum += w[h * s.K + k] * dy[i + k];
    dx[i] = sum;
}

size_t dwconv_input_grad_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_input_grad(const float *dy, const float *w, float *dx,
                              struct dwconv_shape shape, void *workspace,
                              cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    (void)workspace;
    input_grad<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        dy, w, dx, shape);
    return cudaGetLastError();
}
