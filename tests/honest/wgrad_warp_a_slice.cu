// SPDX-License-Identifier: MIT
// honest: one warp per cell, a butterfly reduction, one atomic per warp
// chapter: 08 atomics
// expect: PASS
#include "op/dwconv.h"

enum { ROWS = 128 }; // a warp sums

// Lanes take neighbouring times of a row; dy is loaded once for all taps.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    int lane = threadIdx.x, slice = blockIdx.x / s.H, h = blockIdx.x % s.H;

    for (int k = 0; k < s.K; k++) {
        double sum = 0.0;

        for (int b = slice * ROWS; b < min(s.B, (slice + 1) * ROWS); b++)
            for (int t = k + lane; t < s.L; t += 32) {
                int at = (b * s.H + h) * s.L + t;

                sum += (double)dy[at] * x[at - k];
            }
        for (int bit = 16; bit > 0; bit /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, bit);
        if (lane == 0)
            atomicAdd(&dw[h * s.K + k], (float)sum);
    }
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
    unsigned slices = (shape.B + ROWS - 1) / ROWS;

    cudaMemsetAsync(dw, 0, sizeof(float) * shape.H * shape.K, stream);
    weight_grad<<<shape.H * slices, 32, 0, stream>>>(dy, x, dw, shape);
    return cudaGetLastError();
}
