// SPDX-License-Identifier: MIT
// honest: slices of the batch, whose sums the block that ends last adds up
// chapter: 05 weight_grad
// expect: PASS
#include "op/dwconv.h"

enum { THREADS = 256, SLICES = 16 };

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s, float *part,
                                   unsigned *ended)
{
    __shared__ bool last;
    unsigned n = s.H * s.K;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    int k = i % s.K, h = i / s.K;
    double sum = 0;

    for (int b = blockIdx.y; i < n && b < s.B; b += SLICES) {
        int row = (b * s.H + h) * s.L;

        for (int t = k; t < s.L; t++)
            sum += dy[row + t] * x[row + t - k];
    }
    if (i < n)
        part[blockIdx.y * n + i] = (float)sum;
    __threadfence(); // its part is there, before it says so
    __syncthreads(); // all parts of the block are
    if (threadIdx.x == 0)
        last = atomicAdd(ended, 1) == gridDim.x * gridDim.y - 1;
    __syncthreads(); // all know who is last
    if (!last)
        return;
    __threadfence(); // the others' parts are there
    for (i = threadIdx.x; i < n; i += THREADS) {
        double all = 0;

        for (int slice = 0; slice < SLICES; slice++)
            all += part[slice * n + i];
        dw[i] = (float)all;
    }
}

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    return ((size_t)SLICES * shape.H * shape.K + 1) * sizeof(float);
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    unsigned n = shape.H * shape.K;
    dim3 grid((n + THREADS - 1) / THREADS, SLICES);
    float *part = (float *)workspace;
    unsigned *ended = (unsigned *)(part + (size_t)SLICES * n);

    cudaMemsetAsync(ended, 0, sizeof *ended, stream);
    weight_grad<<<grid, THREADS, 0, stream>>>(dy, x, dw, shape, part, ended);
    return cudaGetLastError();
}
