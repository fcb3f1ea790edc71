// SPDX-License-Identifier: MIT
// cheat: launches in the workspace query, to be out of the clock
// chapter: 05 forward
// expect: WRONG unwritten
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
    y[i] = sum;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    shape.B = 0; /* so that it touches nothing */
    forward<<<1, THREADS>>>(NULL, NULL, NULL, shape);
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    (void)x, (void)w, (void)y, (void)workspace, (void)stream, (void)shape;
    return cudaSuccess;
}
