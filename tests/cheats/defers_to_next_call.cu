// SPDX-License-Identifier: MIT
// cheat: does the work of the previous call
// chapter: 05 forward
// expect: WRONG|MEMORY|LAUNCH
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
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    (void)workspace;
    static struct dwconv_shape last;
    static const float *last_x, *last_w;
    static float *last_y;

    if (last_y) {
        unsigned m = last.B * last.H * last.L;
        forward<<<(m + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
            last_x, last_w, last_y, last);
    }
    last_x = x;
    last_w = w;
    last_y = y;
    last = shape;
    return cudaGetLastError();
}
