// SPDX-License-Identifier: MIT
// mutant: one warp of each block does all, and reads one word again and again
// chapter: 05 forward
// expect: TECHNIQUE global_load_bytes_over_asked
#include "op/dwconv.h"

enum { WARP = 32, THREADS = 1024 };

static __device__ float output(const float *x, const float *w,
                               struct dwconv_shape s, unsigned i)
{
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;

    for (int k = 0; k <= t && k < s.K; k++) {
        sum += w[h * s.K + k] * x[i - k];
        (void)*(const volatile float *)x; // nobody asks what is there
    }
    return sum;
}

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned first = blockIdx.x * THREADS;

    if (threadIdx.x >= WARP)
        return;
    for (unsigned i = first + threadIdx.x; i < first + THREADS && i < n;
         i += WARP)
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
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(x, w, y,
                                                                 shape);
    return cudaGetLastError();
}
