// SPDX-License-Identifier: MIT
// mutant: stores one float past its workspace
// chapter: 05 forward
// expect: MEMORY workspace
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               float *copy, struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
    copy[i + 1] = sum; /* the last one is past the end */
    y[i] = sum;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    return (size_t)shape.B * shape.H * shape.L * sizeof(float);
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, (float *)workspace, shape);
    return cudaGetLastError();
}
