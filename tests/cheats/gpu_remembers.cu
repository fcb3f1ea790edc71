// SPDX-License-Identifier: MIT
// cheat: at the timed shape, computes once and then copies the answer
// chapter: 05 forward
// expect: WRONG
// device: gpu
// grade: a learner's own times are taken on the same inputs
#include "op/dwconv.h"

enum { THREADS = 256, TIMED = 1 << 24 };

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
    static float *answer;

    if (answer && n >= TIMED)
        return cudaMemcpyAsync(y, answer, n * sizeof *y,
                               cudaMemcpyDeviceToDevice, stream);
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape);
    if (n < TIMED)
        return cudaGetLastError();
    cudaError_t error = cudaMalloc(&answer, n * sizeof *y);
    return error ? error
                 : cudaMemcpyAsync(answer, y, n * sizeof *y,
                                   cudaMemcpyDeviceToDevice, stream);
}
