// SPDX-License-Identifier: MIT
// mutant: two rows wait off chip, in local memory, by indices of a loop
// chapter: 21 softmax_backward
// expect: TECHNIQUE local_requests .* MISSED
// shape: R4 C20000
#include "op/softmax.h"

enum { THREADS = 256, HELD = 80 }; // floats of each row that a thread keeps

static __device__ float over_block(float x, float *shared)
{
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads(); // each warp's sum is there
    x = 0.0f;
    for (int warp = 0; warp < THREADS / 32; warp++)
        x += shared[warp];
    return x;
}

static __global__ void rows(const float *y, const float *dy, float *dx,
                            struct softmax_shape s)
{
    __shared__ float shared[THREADS / 32];
    float of_y[HELD], of_dy[HELD], sum = 0.0f;
    size_t row = (size_t)blockIdx.x * s.C;
    int n = 0;

#pragma unroll 1
    for (int c = threadIdx.x; c < s.C; c += THREADS, n++) {
        of_y[n] = y[row + c];
        of_dy[n] = dy[row + c];
        sum += of_y[n] * of_dy[n];
    }
    sum = over_block(sum, shared);
    n = 0;
#pragma unroll 1
    for (int c = threadIdx.x; c < s.C; c += THREADS, n++)
        dx[row + c] = of_y[n] * (of_dy[n] - sum);
}

size_t softmax_backward_f32_workspace(struct softmax_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t softmax_backward_f32(const float *y, const float *dy, float *dx,
                                 struct softmax_shape shape, void *workspace,
                                 cudaStream_t stream)
{
    (void)workspace;
    rows<<<shape.R, THREADS, 0, stream>>>(y, dy, dx, shape);
    return cudaGetLastError();
}
