// SPDX-License-Identifier: MIT
// honest: one thread writes and reads a shared word, which needs no barrier
// chapter: 21 three_passes
// expect: PASS
#include "op/softmax.h"

#include <math_constants.h>

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

template <bool SUMS>
static __device__ float over_block(float v, float *shared)
{
    for (int s = LANES / 2; s; s /= 2) {
        float other = __shfl_xor_sync(~0u, v, s);

        v = SUMS ? v + other : fmaxf(v, other);
    }
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = v;
    __syncthreads(); // all warps' values are there
    v = shared[0];
    for (int w = 1; w < WARPS; w++)
        v = SUMS ? v + shared[w] : fmaxf(v, shared[w]);
    __syncthreads(); // and read
    return v;
}

/* nvcc makes all threads load total, and selects. */
static __global__ void softmax(const float *x, float *y, int C)
{
    __shared__ float shared[WARPS], total;
    const float *row = x + (size_t)blockIdx.x * C;
    float *out = y + (size_t)blockIdx.x * C;
    float m = -CUDART_INF_F, e = 0.0f;

    for (int c = threadIdx.x; c < C; c += THREADS)
        m = fmaxf(m, row[c]);
    m = over_block<false>(m, shared);
    for (int c = threadIdx.x; c < C; c += THREADS)
        e += expf(row[c] - m);
    e = over_block<true>(e, shared);
    if (threadIdx.x == 0)
        total = e;
    for (int c = threadIdx.x; c < C; c += THREADS) {
        float d = threadIdx.x == 0 ? total : e;

        out[c] = expf(row[c] - m) / d;
    }
}

size_t softmax_f32_workspace(softmax_shape)
{
    return 0;
}

cudaError_t softmax_f32(const float *x, float *y, softmax_shape s, void *,
                        cudaStream_t stream)
{
    softmax<<<s.R, THREADS, 0, stream>>>(x, y, s.C);
    return cudaGetLastError();
}
