// SPDX-License-Identifier: MIT
// An exercise of chapter 08: this kernel is wrong. A block sums a slice of one
// cell; its author read that the threads of a warp run in step, so that the
// last sums need no barrier. Let the checker say what is wrong with that.

#include "op/dwconv.h"

enum {
    THREADS = 128, // per block
    WARP = 32,
    ROWS = 64 // of a slice
};

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    __shared__ float parts[THREADS];

    int k = blockIdx.x % s.K, h = blockIdx.x / s.K % s.H;
    int b0 = blockIdx.x / s.K / s.H * ROWS;
    int cells = min(s.B - b0, (int)ROWS) * s.L; // of the slice
    int me = threadIdx.x;
    float sum = 0.0f;

    for (int i = me; i < cells; i += THREADS) {
        int t = i % s.L, row = ((b0 + i / s.L) * s.H + h) * s.L;

        if (t >= k)
            sum += dy[row + t] * x[row + t - k];
    }
    parts[me] = sum;
    for (int half = THREADS / 2; half >= WARP; half /= 2) {
        __syncthreads(); // the first 2 * half sums are complete
        if (me < half)
            parts[me] += parts[me + half];
    }
    for (int half = WARP / 2; half > 0; half /= 2)
        if (me < half) // one warp: its lanes run in step
            parts[me] += parts[me + half];
    if (me == 0)
        atomicAdd(&dw[h * s.K + k], parts[0]);
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
    unsigned slices = (shape.B - 1) / ROWS + 1;
    size_t bytes = sizeof(float) * shape.H * shape.K;

    cudaMemsetAsync(dw, 0, bytes, stream); // the sums start at 0
    weight_grad<<<shape.K * shape.H * slices, THREADS, 0, stream>>>(dy, x, dw,
                                                                    shape);
    return cudaGetLastError();
}
