// SPDX-License-Identifier: MIT
// mutant: block 0 sums results that other blocks may not have written
// chapter: 06 weight_grad
// expect: MEMORY|RACE|NONDETERMINISTIC
#include "op/dwconv.h"

// Block (h, slice) leaves its sums of channel h; the one of slice 0 adds up.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   float *sums, struct dwconv_shape s, int n)
{
    int h = blockIdx.x / n, slice = blockIdx.x % n;

    for (int k = threadIdx.x; k < s.K; k += blockDim.x) {
        float sum = 0.0f;

        for (int b = slice; b < s.B; b += n)
            for (int t = k; t < s.L; t++) {
                int at = (b * s.H + h) * s.L + t;

                sum += dy[at] * x[at - k];
            }
        sums[(h * n + slice) * s.K + k] = sum;
    }
    __syncthreads(); // orders this block alone
    for (int k = threadIdx.x; slice == 0 && k < s.K; k += blockDim.x) {
        float sum = 0.0f;

        for (int i = 0; i < n; i++)
            sum += sums[(h * n + i) * s.K + k];
        dw[h * s.K + k] = sum;
    }
}

enum { SLICES = 8 };

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    return sizeof(float) * SLICES * shape.H * shape.K;
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    float *sums = (float *)workspace;

    weight_grad<<<SLICES * shape.H, 64, 0, stream>>>(dy, x, dw, sums, shape,
                                                     SLICES);
    return cudaGetLastError();
}
