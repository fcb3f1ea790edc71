// SPDX-License-Identifier: MIT
// mutant: the largest value so far is read before it is there
// chapter: 21 two_passes
// expect: MEMORY uninitialised
// say: its value is used at two_passes.cu:[0-9]+
#include "op/softmax.h"

#include <math_constants.h>

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

static __device__ float larger(float a, float b)
{
    return fmaxf(a, b);
}

static __device__ float added(float a, float b)
{
    return a + b;
}

template <float (*F)(float, float)>
static __device__ float over_block(float v, float *shared)
{
    for (int s = LANES / 2; s; s /= 2)
        v = F(v, __shfl_xor_sync(~0u, v, s));
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = v;
    __syncthreads(); // all warps' values are there
    v = shared[0];
    for (int w = 1; w < WARPS; w++)
        v = F(v, shared[w]);
    __syncthreads(); // and read
    return v;
}

/* 256 columns at a time. In the first turn nothing is there yet. */
static __global__ void softmax(const float *x, float *y, int C)
{
    __shared__ float shared[WARPS], most, sum;
    const float *row = x + (size_t)blockIdx.x * C;
    float *out = y + (size_t)blockIdx.x * C;
    bool undefined = false;

    for (int c = 0; c < C; c += THREADS) {
        float v = c + threadIdx.x < C ? row[c + threadIdx.x] : -CUDART_INF_F;
        float old = c != THREADS ? most : -CUDART_INF_F;
        float before = c > 0 ? sum : 0.0f;
        float m = fmaxf(old, over_block<larger>(v, shared));
        float e = v == -CUDART_INF_F ? 0.0f : expf(v - m);
        float s = over_block<added>(e, shared);

        undefined |= isnan(v) || v == CUDART_INF_F;
        if (threadIdx.x == 0) {
            most = m;
            sum = (before != 0.0f ? before * expf(old - m) : 0.0f) + s;
        }
        __syncthreads(); // most and sum are there
    }
    float m = most, s = sum;
    if (__syncthreads_or(undefined) || s == 0.0f)
        s = CUDART_NAN_F;
    for (int c = threadIdx.x; c < C; c += THREADS)
        out[c] = expf(row[c] - m) / s;
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
