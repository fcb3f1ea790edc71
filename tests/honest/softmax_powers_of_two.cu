// SPDX-License-Identifier: MIT
// honest: online softmax with powers of two, a warp per row
// chapter: 21 two_passes
// expect: PASS
#include "op/softmax.h"

#include <math_constants.h>

enum { LANES = 32, ROWS = 4 };

static __global__ void softmax(const float *x, float *y,
                               struct softmax_shape s)
{
    const float log2e = 1.44269504f;
    int lane = threadIdx.x % LANES, r = blockIdx.x * ROWS + threadIdx.x / LANES;
    if (r >= s.R)
        return;
    const float *row = x + (size_t)r * s.C;
    float most = -CUDART_INF_F, sum = 0;

#pragma unroll 8
    for (int col = lane; col < s.C; col += LANES) {
        float now = row[col], next = fmaxf(most, now);
        float less = most == next ? 1 : exp2f((most - next) * log2e);
        float add = now == next ? 1 : exp2f((now - next) * log2e);
        sum = fmaf(sum, less, add);
        most = next;
    }
    for (int step = 1; step < LANES; step *= 2) {
        float theirs = __shfl_xor_sync(~0u, most, step);
        float others = __shfl_xor_sync(~0u, sum, step);
        float next = fmaxf(most, theirs);
        float a = most == next ? 1 : exp2f((most - next) * log2e);
        float b = theirs == next ? 1 : exp2f((theirs - next) * log2e);
        sum = sum * a + others * b;
        most = next;
    }
    if (most == CUDART_INF_F || most == -CUDART_INF_F)
        sum = CUDART_NAN_F; // inf - inf is no number
    for (int col = lane; col < s.C; col += LANES)
        y[(size_t)r * s.C + col] = exp2f((row[col] - most) * log2e) / sum;
}

size_t softmax_f32_workspace(struct softmax_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t softmax_f32(const float *x, float *y, struct softmax_shape shape,
                        void *workspace, cudaStream_t stream)
{
    (void)workspace;
    softmax<<<(shape.R + ROWS - 1) / ROWS, ROWS * LANES, 0, stream>>>(x, y,
                                                                      shape);
    return cudaGetLastError();
}
