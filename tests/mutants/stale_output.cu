// SPDX-License-Identifier: MIT
// mutant: outputs the results of the previous launch
// chapter: 05 forward
// expect: WRONG stale
#include "op/dwconv.h"

enum { THREADS = 256 };

enum { KEPT = 1 << 20 }; /* floats: more than any small case needs */

static __device__ float kept[KEPT];

/* Gives out the last launch's result and keeps this one's for the next. */
static __global__ void exchange(float *y, unsigned n, bool first)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i >= KEPT)
        return;
    float mine = y[i];
    if (!first)
        y[i] = kept[i];
    kept[i] = mine;
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
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    (void)workspace;
    static bool called;

    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape);
    exchange<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(y, n,
                                                                  !called);
    called = true;
    return cudaGetLastError();
}
