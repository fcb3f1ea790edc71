// SPDX-License-Identifier: MIT
// mutant: all threads add to one sum in shared memory, without atomics
// chapter: 06 weight_grad
// expect: RACE
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
    if (threadIdx.x == 0)
        parts[0] = 0;
    __syncthreads();
    parts[0] += sum;
    __syncthreads();
    if (threadIdx.x == 0)
        dw[blockIdx.x] = parts[0];
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
