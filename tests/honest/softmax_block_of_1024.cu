// SPDX-License-Identifier: MIT
// honest: a block of 1024 threads keeps four values per thread
// chapter: 21 registers
// expect: PASS|SLOW
#include "op/softmax.h"

#include <math_constants.h>

enum { THREADS = 1024, KEPT = 4 };

/* The sum or the largest value of all threads, in log2(THREADS) steps. */
template <bool SUMS> static __device__ float over_block(float mine)
{
    __shared__ float all[THREADS];

    all[threadIdx.x] = mine;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads(); // what the step before left is there
        if (threadIdx.x < half) {
            float other = all[threadIdx.x + half];
            all[threadIdx.x] = SUMS ? all[threadIdx.x] + other
                                    : fmaxf(all[threadIdx.x], other);
        }
    }
    __syncthreads(); // the last step's, too
    float result = all[0];
    __syncthreads(); // all have read: the next call may write
    return result;
}

static __global__ void softmax(const float *x, float *y,
                               struct softmax_shape s)
{
    const float *row = x + (size_t)blockIdx.x * s.C;
    float kept[KEPT], most = -CUDART_INF_F, sum = 0;

    for (int i = 0; i < KEPT; i++) {
        int col = threadIdx.x + i * THREADS;
        kept[i] = col < s.C ? row[col] : -CUDART_INF_F;
        most = fmaxf(most, kept[i]);
    }
    for (int col = threadIdx.x + KEPT * THREADS; col < s.C; col += THREADS)
        most = fmaxf(most, row[col]);
    most = over_block<false>(most);
    for (int i = 0; i < KEPT; i++)
        if (threadIdx.x + i * THREADS < s.C)
            sum += kept[i] = expf(kept[i] - most);
    for (int col = threadIdx.x + KEPT * THREADS; col < s.C; col += THREADS)
        sum += expf(row[col] - most);
    sum = over_block<true>(sum);
    for (int i = 0; i < KEPT; i++) {
        int col = threadIdx.x + i * THREADS;
        if (col < s.C)
            y[(size_t)blockIdx.x * s.C + col] = kept[i] / sum;
    }
    for (int col = threadIdx.x + KEPT * THREADS; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] = expf(row[col] - most) / sum;
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
    softmax<<<shape.R, THREADS, 0, stream>>>(x, y, shape);
    return cudaGetLastError();
}
