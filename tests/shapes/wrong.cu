// SPDX-License-Identifier: MIT
// What the suite must find. Forward: right, but where K exceeds L its oldest
// tap is forgotten. Weight gradient: right, but summed in the blocks' order.
#include "op/dwconv.h"

enum { THREADS = 64 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    int i = blockIdx.x * THREADS + threadIdx.x, row = i / s.L, t = i % s.L;
    int taps = min(s.K, s.K > s.L ? t : t + 1); // wrong on purpose
    float sum = 0.0f;

    if (row >= s.B * s.H)
        return;
    for (int k = 0; k < taps; k++)
        sum += w[row % s.H * s.K + k] * x[i - k];
    y[i] = sum;
}

// A block a row and tap.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    int row = blockIdx.x / s.K, k = blockIdx.x % s.K;
    float sum = 0.0f;

    if (threadIdx.x > 0)
        return;
    for (int t = k; t < s.L; t++)
        sum += dy[row * s.L + t] * x[row * s.L + t - k];
    atomicAdd(&dw[row % s.H * s.K + k], sum);
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape s, void *workspace,
                           cudaStream_t stream)
{
    (void)workspace;
    forward<<<(s.B * s.H * s.L - 1) / THREADS + 1, THREADS, 0, stream>>>(
        x, w, y, s);
    return cudaGetLastError();
}

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape s, void *workspace,
                               cudaStream_t stream)
{
    (void)workspace;
    cudaMemsetAsync(dw, 0, sizeof(float) * s.H * s.K, stream);
    weight_grad<<<s.B * s.H * s.K, 1, 0, stream>>>(dy, x, dw, s);
    return cudaGetLastError();
}
