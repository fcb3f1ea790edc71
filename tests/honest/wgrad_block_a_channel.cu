// SPDX-License-Identifier: MIT
// honest: one block per channel, rows in shared memory, sums in double
// chapter: 06 weight_grad
// expect: SLOW PREDICTED to take
#include "op/dwconv.h"

enum { TIMES = 64, TAPS = 64 };

// Block (h, tile of TAPS taps). dy at t0 ... and the x that its taps meet.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    __shared__ float dy_tile[TIMES], x_tile[TIMES + TAPS];
    int h = blockIdx.x % s.H, k0 = blockIdx.x / s.H * TAPS;
    int k = k0 + threadIdx.x;
    double sum = 0.0;

    for (int b = 0; b < s.B; b++)
        for (int t0 = k0; t0 < s.L; t0 += TIMES) {
            int row = (b * s.H + h) * s.L, from = t0 - k0 - TAPS + 1;
            int n = min(TIMES, s.L - t0);

            for (int i = threadIdx.x; i < n; i += TAPS)
                dy_tile[i] = dy[row + t0 + i];
            for (int i = threadIdx.x; i < n + TAPS - 1; i += TAPS)
                x_tile[i] = from + i >= 0 ? x[row + from + i] : 0.0f;
            __syncthreads(); // full
            for (int t = 0; t < n; t++)
                sum += (double)dy_tile[t] * x_tile[t + TAPS - 1 - threadIdx.x];
            __syncthreads(); // read
        }
    if (k < s.K)
        dw[h * s.K + k] = (float)sum;
}

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    (void)workspace;
    unsigned tiles = (shape.K + TAPS - 1) / TAPS;

    weight_grad<<<shape.H * tiles, TAPS, 0, stream>>>(dy, x, dw, shape);
    return cudaGetLastError();
}
