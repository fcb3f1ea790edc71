// SPDX-License-Identifier: MIT
// honest: a thread computes a cell of this half of the batch and of the other
// chapter: 05 forward
// expect: PASS
#include "op/dwconv.h"

enum { THREADS = 192 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned image = s.H * s.L, half = (s.B + 1) / 2;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= half * image)
        return;
    unsigned j = i + half * image; // may lie past the batch
    bool both = j < s.B * image;
    int t = i % s.L;
    const float *tap = w + i / s.L % s.H * s.K;
    float one = 0, other = 0;

    for (int k = 0; k < s.K && k <= t; k++) {
        float weight = __ldg(tap + k);
        one = fmaf(weight, __ldg(x + i - k), one);
        if (both)
            other = fmaf(weight, __ldg(x + j - k), other);
    }
    y[i] = one;
    if (both)
        y[j] = other;
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
    unsigned cells = (shape.B + 1) / 2 * shape.H * shape.L;

    forward<<<(cells + THREADS - 1) / THREADS, THREADS, 0, stream>>>(x, w, y,
                                                                     shape);
    return cudaGetLastError();
}
