// SPDX-License-Identifier: MIT
// honest: blocks take their tile from a counter in the workspace
// chapter: 05 forward
// expect: PASS
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s, unsigned *next)
{
    __shared__ unsigned tile;
    unsigned n = s.B * s.H * s.L;

    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(next, 1);
        __syncthreads(); /* the tile's number is there */
        unsigned i = tile * THREADS + threadIdx.x;
        __syncthreads(); /* all have it, before the next is taken */
        if (i - threadIdx.x >= n)
            return;
        if (i >= n)
            continue;
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
    return sizeof(unsigned);
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned *next = (unsigned *)workspace;

    cudaMemsetAsync(next, 0, sizeof *next, stream);
    forward<<<16, THREADS, 0, stream>>>(x, w, y, shape, next);
    return cudaGetLastError();
}
