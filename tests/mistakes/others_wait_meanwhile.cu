// SPDX-License-Identifier: MIT
// mistake: one warp loops for ever, and the others wait at a barrier
// chapter: 05 forward
// expect: TIMEOUT
// say: [0-9]+ threads of its block wait at forward\.cu:[0-9]+
// say: [0-9]+ \| __syncthreads
// say: who is to make it true
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    __shared__ float first;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int k = 0; threadIdx.x < 32 && k < s.K; k += 0)
        sum += w[k];
    if (threadIdx.x == 0)
        first = sum;
    __syncthreads();
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    for (int k = 0; k <= (int)(i % s.L) && k < s.K; k++)
        sum += w[i / s.L % s.H * s.K + k] * x[i - k] + 0.0f * first;
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
    unsigned n = shape.B * shape.H * shape.L;

    (void)workspace;
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(x, w, y,
                                                                shape);
    return cudaGetLastError();
}
