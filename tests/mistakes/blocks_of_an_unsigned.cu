// SPDX-License-Identifier: MIT
// mistake: an unsigned difference below 0 makes a grid of 16 million idle blocks
// chapter: 18 scalar
// expect: TIMEOUT
// say: the grid has far more blocks than
// say: blocks of 16777217 began, and each did next to nothing
#include "op/elementwise.h"

static __global__ void relu(const float *x, float *y, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x < 8388607 && i < n)
        y[i] = x[i] < 0 ? 0 : x[i];
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape s, void *workspace,
                                 cudaStream_t stream)
{
    unsigned n = s.N;

    relu<<<(n - 257u) / 256 + 2, 256, 0, stream>>>(x, y, s.N);
    return cudaGetLastError();
}
