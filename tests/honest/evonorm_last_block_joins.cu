// SPDX-License-Identifier: MIT
// honest: a block per plane; the last of a channel's joins its planes' statistics
// chapter: 22 fused
// expect: PASS
#include "op/evonorm.h"

enum { THREADS = 128, WARPS = THREADS / 32 };

struct moments {
    float n, mean, squares;
};

static __device__ moments join(moments a, moments b)
{
    float n = a.n + b.n, away = b.mean - a.mean;

    if (n == 0.0f)
        return a;
    return {n, a.mean + away * b.n / n,
            a.squares + b.squares + away * away * a.n * b.n / n};
}

static __device__ moments of_block(moments m)
{
    __shared__ moments warps[WARPS];

    for (int far = 16; far > 0; far /= 2)
        m = join(m, {__shfl_down_sync(~0u, m.n, far),
                     __shfl_down_sync(~0u, m.mean, far),
                     __shfl_down_sync(~0u, m.squares, far)});
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = m;
    __syncthreads(); // each warp's are there
    m = warps[0];
    for (int w = 1; w < WARPS; w++)
        m = join(m, warps[w]);
    __syncthreads(); // all have read
    return m;
}

static __global__ void statistics(const float *x, moments *planes,
                                  float *variance, float *moving,
                                  unsigned *came, evonorm_shape s)
{
    __shared__ bool is_last;
    int c = blockIdx.x % s.C;
    moments m = {};

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float cell = x[(size_t)blockIdx.x * s.S + i], away = cell - m.mean;

        m.n += 1;
        m.mean += away / m.n;
        m.squares += away * (cell - m.mean);
    }
    m = of_block(m);
    if (threadIdx.x == 0) {
        planes[blockIdx.x] = m;
        __threadfence();
        is_last = atomicAdd(&came[c], 1u) == s.B - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    m = {};
    for (int b = threadIdx.x; b < s.B; b += THREADS) {
        volatile moments *of = &planes[b * s.C + c];

        m = join(m, {of->n, of->mean, of->squares});
    }
    m = of_block(m);
    if (threadIdx.x == 0) {
        variance[c] = m.squares / m.n;
        moving[c] = EVONORM_DECAY * moving[c] +
                    (1.0f - EVONORM_DECAY) * variance[c];
    }
}

static __global__ void normalise(const float *x, const float *gamma,
                                 const float *beta, const float *v,
                                 const float *variance, const moments *planes,
                                 float *y, evonorm_shape s)
{
    int c = blockIdx.x % s.C;
    float batch = sqrtf(variance[c] + EVONORM_EPS);
    float own = sqrtf(planes[blockIdx.x].squares / s.S + EVONORM_EPS);
    float scale = gamma[c], shift = beta[c], slope = v[c];

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        size_t at = (size_t)blockIdx.x * s.S + i;
        float other = slope * x[at] + own; // NaN only where `batch` is

        y[at] = scale * x[at] / (other > batch ? other : batch) + shift;
    }
}

size_t evonorm_b0_workspace(evonorm_shape s)
{
    return (size_t)s.B * s.C * sizeof(moments) + s.C * 8;
}

cudaError_t evonorm_b0(const float *x, const float *gamma, const float *beta,
                       const float *v, float *moving, float *y,
                       evonorm_shape s, void *workspace, cudaStream_t stream)
{
    moments *planes = (moments *)workspace;
    float *variance = (float *)(planes + (size_t)s.B * s.C);
    unsigned *came = (unsigned *)(variance + s.C);
    cudaError_t error = cudaMemsetAsync(came, 0, s.C * 4, stream);

    if (error != cudaSuccess)
        return error;
    statistics<<<s.B * s.C, THREADS, 0, stream>>>(x, planes, variance, moving,
                                                  came, s);
    normalise<<<s.B * s.C, THREADS, 0, stream>>>(x, gamma, beta, v, variance,
                                                 planes, y, s);
    return cudaGetLastError();
}
