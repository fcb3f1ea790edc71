// SPDX-License-Identifier: MIT
// honest: a block of four warps keeps its plane in shared memory; gamma, beta and v are read for each cell
// chapter: 22 evonorm_b0_eval
// expect: PASS
#include "op/evonorm.h"

enum { THREADS = 128, WARPS = THREADS / 32, MOST = 11000 };

static __device__ float block_sum(float value, float *warps)
{
    for (int far = 16; far > 0; far /= 2)
        value += __shfl_down_sync(~0u, value, far);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads(); // each warp's is there
    return warps[0] + warps[1] + warps[2] + warps[3];
}

static __global__ void evaluate(const float *x, const float *gamma,
                                const float *beta, const float *v,
                                const float *moving, float *y,
                                evonorm_shape s, bool fits)
{
    extern __shared__ float plane[];
    __shared__ float sums[WARPS], squares[WARPS];
    size_t first = (size_t)blockIdx.x * s.S;
    int c = blockIdx.x % s.C;
    float sum = 0.0f, square = 0.0f;

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float cell = x[first + i];

        if (fits)
            plane[i] = cell;
        sum += cell;
    }
    float mean = block_sum(sum, sums) / s.S;
    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float away = (fits ? plane[i] : x[first + i]) - mean;

        square += away * away;
    }
    float own = sqrtf(block_sum(square, squares) / s.S + EVONORM_EPS);
    float batch = sqrtf(moving[c] + EVONORM_EPS);
    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float cell = fits ? plane[i] : x[first + i];
        float other = v[c] * cell + own;

        y[first + i] = gamma[c] * cell / (batch >= other ? batch : other) +
                       beta[c];
    }
}

size_t evonorm_b0_eval_workspace(evonorm_shape s)
{
    (void)s;
    return 0;
}

cudaError_t evonorm_b0_eval(const float *x, const float *gamma,
                            const float *beta, const float *v,
                            const float *moving, float *y, evonorm_shape s,
                            void *workspace, cudaStream_t stream)
{
    bool fits = s.S <= MOST;

    (void)workspace;
    evaluate<<<s.B * s.C, THREADS, fits ? s.S * sizeof(float) : 0, stream>>>(
        x, gamma, beta, v, moving, y, s, fits);
    return cudaGetLastError();
}
