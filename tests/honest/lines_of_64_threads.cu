// SPDX-License-Identifier: MIT
// honest: a line of 64 threads per row, four rows per block
// chapter: 05 forward
// expect: PASS
#include "op/dwconv.h"

enum { ACROSS = 64, DOWN = 4 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    long long line = (long long)blockIdx.x * DOWN + threadIdx.y;
    if (line >= (long long)s.B * s.H)
        return;
    const float *in = x + line * s.L;
    const float *taps = w + line % s.H * s.K;

    for (int t = threadIdx.x; t < s.L; t += ACROSS) {
        float sum = 0;
        int last = t < s.K - 1 ? t : s.K - 1;
        for (int k = last; k >= 0; k--) // the oldest input first
            sum += taps[k] * in[t - k];
        y[line * s.L + t] = sum;
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
    unsigned lines = shape.B * shape.H;
    dim3 block(ACROSS, DOWN);

    forward<<<(lines + DOWN - 1) / DOWN, block, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
