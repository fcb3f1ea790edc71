// SPDX-License-Identifier: MIT
// honest: 128 blocks, of which the n-th takes n shares of the outputs
// chapter: 05 forward
// expect: PASS|SLOW
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

enum { BLOCKS = 128 };

// Block p takes the outputs between two triangular numbers.
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned shares = BLOCKS * (BLOCKS + 1) / 2, p = blockIdx.x;
    unsigned share = (n + shares - 1) / shares;
    unsigned end = min(n, (p + 1) * (p + 2) / 2 * share);

    for (unsigned i = p * (p + 1) / 2 * share + threadIdx.x; i < end;
         i += THREADS)
        y[i] = output(x, w, s, i);
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
    (void)n;
    forward<<<BLOCKS, THREADS, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
