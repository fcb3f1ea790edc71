// SPDX-License-Identifier: MIT
// mutant: a conditional shuffle: lanes of its mask do not take part
// chapter: 06 weight_grad
// expect: MEMORY
#include "op/dwconv.h"

// A warp sums one cell; a lane takes every 32nd row.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    int lane = threadIdx.x, h = blockIdx.x / s.K, k = blockIdx.x % s.K;
    float sum = 0.0f;

    for (int b = lane; b < s.B; b += 32)
        for (int t = k; t < s.L; t++) {
            int at = (b * s.H + h) * s.L + t;

            sum += dy[at] * x[at - k];
        }
    for (int bit = 16; bit > 0; bit /= 2)
        if (lane < bit) // the other half is wanted, and stays away
            sum += __shfl_down_sync(0xffffffffu, sum, bit);
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
