// SPDX-License-Identifier: MIT
// mutant: a fence for the whole system per tap, with nothing to wait for
// chapter: 05 forward
// expect: SLOW PREDICTED
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0.0f;

    if (i >= (unsigned)s.B * s.H * s.L)
        return;
    for (int k = 0; k < s.K; k++) {
        if (k <= (int)(i % s.L))
            sum += w[i / s.L % s.H * s.K + k] * x[i - k];
        __threadfence_system();
    }
    y[i] = sum;
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
    unsigned n = (unsigned)shape.B * shape.H * shape.L;

    (void)workspace;
    forward<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
