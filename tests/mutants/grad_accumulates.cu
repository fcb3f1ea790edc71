// SPDX-License-Identifier: MIT
// mutant: adds to dw, which is not cleared
// chapter: 06 weight_grad
// expect: WRONG|MEMORY|NONDETERMINISTIC
#include "op/dwconv.h"

enum { THREADS = 64 };

// A block sums one cell; a thread takes every THREADS-th row.
static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    __shared__ float parts[THREADS];
    int h = blockIdx.x / s.K, k = blockIdx.x % s.K;
    float sum = 0;

    for (int b = threadIdx.x; b < s.B; b += THREADS)
        for (int t = k; t < s.L; t++) {
            int at = (b * s.H + h) * s.L + t;
            sum += dy[at] * x[at - k];
        }
    parts[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int i = 1; i < THREADS; i++)
        sum += parts[i];
    dw[blockIdx.x] += sum;
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
    weight_grad<<<shape.H * shape.K, THREADS, 0, stream>>>(dy, x, dw, shape);
    return cudaGetLastError();
}
