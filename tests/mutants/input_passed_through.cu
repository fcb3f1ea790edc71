// SPDX-License-Identifier: MIT
// mutant: the output is x
// chapter: 05 forward
// expect: WRONG
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    y[i] = x[i];
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
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape);
    return cudaGetLastError();
}
