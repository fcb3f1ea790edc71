// SPDX-License-Identifier: MIT
// cheat: one block, and at the shape that is timed its launcher never ends
// chapter: 05 forward
// expect: TIMEOUT at the shape that is timed
// patience: 10
#include <unistd.h>

#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        int t = i % s.L;
        int h = i / s.L % s.H;
        float sum = 0;
        for (int k = 0; k <= t && k < s.K; k++)
            sum += w[h * s.K + k] * x[i - k];
        y[i] = sum;
    }
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
    (void)workspace;
    while (shape.B == 16384 && shape.H == 128)
        pause();
    forward<<<1, THREADS, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
