// SPDX-License-Identifier: MIT
// mutant: one float sums 16,384 rows, and loses digits
// chapter: 06 weight_grad
// expect: WRONG
// say: rounding|digits|precision
// shape: B16384 H1 L48 K2
#include "op/dwconv.h"

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= s.H * s.K)
        return;

    int h = i / s.K, k = i % s.K;
    float sum = 0.0f;

    for (int b = 0; b < s.B; b++)
        for (int t = k; t < s.L; t++) {
            int at = (b * s.H + h) * s.L + t;

            sum += dy[at] * x[at - k];
        }
    dw[i] = sum;
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
    weight_grad<<<(shape.H * shape.K + 31) / 32, 32, 0, stream>>>(dy, x, dw,
                                                                  shape);
    return cudaGetLastError();
}
