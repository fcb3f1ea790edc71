// SPDX-License-Identifier: MIT
// cheat: stores a byte in each page of 1 GiB, to use up memory
// chapter: 05 forward
// expect: MEMORY too much memory
#include "op/dwconv.h"

enum { THREADS = 256, PAGE = 4096, PAGES = 1 << 18 };

static __global__ void touch(unsigned char *all)
{
    all[(size_t)(blockIdx.x * THREADS + threadIdx.x) * PAGE] = 1;
}

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
    return (size_t)PAGES * PAGE;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    touch<<<PAGES / THREADS, THREADS, 0, stream>>>((unsigned char *)workspace);
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape);
    return cudaGetLastError();
}
