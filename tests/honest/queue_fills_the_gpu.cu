// SPDX-License-Identifier: MIT
// honest: as many blocks as the GPU holds take tiles from a queue
// chapter: 05 forward
// expect: PASS
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

enum { BLOCKS = 1056 }; // 8 for each of an H200's multiprocessors

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s, unsigned *next)
{
    __shared__ unsigned tile;
    unsigned n = s.B * s.H * s.L;

    for (;;) {
        __syncthreads(); // all have read the last tile's number
        if (threadIdx.x == 0)
            tile = atomicAdd(next, 1);
        __syncthreads(); // the next one is there
        if (tile * THREADS >= n)
            return;
        unsigned i = tile * THREADS + threadIdx.x;
        if (i < n)
            y[i] = output(x, w, s, i);
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
    unsigned n = shape.B * shape.H * shape.L;
    unsigned *next = (unsigned *)workspace;

    (void)n;
    cudaMemsetAsync(next, 0, sizeof *next, stream);
    forward<<<BLOCKS, THREADS, 0, stream>>>(x, w, y, shape, next);
    return cudaGetLastError();
}
