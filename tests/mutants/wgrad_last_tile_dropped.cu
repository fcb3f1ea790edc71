// SPDX-License-Identifier: MIT
// mutant: the last tile of 16 rows is dropped if it is partial
// chapter: 06 weight_grad
// expect: WRONG
#include "op/dwconv.h"

// A warp sums one cell; a lane takes every 32nd row.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    int lane = threadIdx.x, h = blockIdx.x / s.K, k = blockIdx.x % s.K;
    float sum = 0.0f;

    for (int b = lane; b < max(s.B / 16, 1) * 16 && b < s.B; b += 32)
        for (int t = k; t < s.L; t++) {
            int at = (b * s.H + h) * s.L + t;

            sum += dy[at] * x[at - k];
        }
    for (int bit = 16; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, bit);
    if (lane == 0)
        dw[blockIdx.x] = sum;
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
    weight_grad<<<shape.H * shape.K, 32, 0, stream>>>(dy, x, dw, shape);
    return cudaGetLastError();
}
