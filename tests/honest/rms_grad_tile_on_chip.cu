// SPDX-License-Identifier: MIT
// honest: a block per tile, which keeps x and dn of its channels on chip
// chapter: 24 rms_backward
// expect: PASS

#include "op/block.h"

enum {
    THREADS = 256,
    LANES = 32, // and steps per block
    WARPS = THREADS / LANES,
    KEPT = 128 // channels whose x and dn stay in shared memory: 32 KiB
};
#define ALL_LANES 0xffffffffu

// The sum over a warp's lanes, in a fixed order; lane 0 has it.
static __device__ float warp_sum(float value)
{
    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

// The sum over a block's threads, in a fixed order; thread 0 has it.
static __device__ float block_sum(float value)
{
    __shared__ float warps[WARPS];

    value = warp_sum(value);
    if (threadIdx.x % LANES == 0)
        warps[threadIdx.x / LANES] = value;
    __syncthreads(); // each warp has left its sum
    value = threadIdx.x < WARPS ? warps[threadIdx.x] : 0.0f;
    return warp_sum(value);
}

// A block per tile of 32 steps, a lane per step r = b L + t, a warp per channel
// and every WARPS-th after it. The step's first channel is at b H L + t, the
// next L cells further on; neighbours in r are neighbours in memory. What a
// tile adds to dgamma[h] goes to sums[tile H + h]: the tile's are neighbours,
// so that whole sectors leave for memory.
static __global__ void rms_tile(const float *__restrict__ x, const float *gamma,
                                const float *__restrict__ dn,
                                const float *__restrict__ skip,
                                float *__restrict__ dx, float *sums,
                                struct block_shape s)
{
    __shared__ float kept_x[KEPT][LANES], kept_dn[KEPT][LANES];
    __shared__ float of_warp[2][WARPS][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    unsigned r = blockIdx.x * LANES + lane; // may pass B L
    bool inside = r < (unsigned)s.B * s.L;
    size_t first = (size_t)(r / s.L) * s.H * s.L + r % s.L;
    float squares = 0.0f, dot = 0.0f, own = 0.0f; // own: the step's scale

    first = inside ? first : 0; // all lanes load, so that no load waits for if
#pragma unroll 16
    for (int h = warp; h < s.H; h += WARPS) {
        size_t i = first + (size_t)h * s.L;
        float at_x = x[i], at_dn = dn[i];

        squares += at_x * at_x;
        dot += gamma[h] * at_dn * at_x;
        if (h < KEPT) {
            kept_x[h][lane] = at_x;
            kept_dn[h][lane] = inside ? at_dn : 0.0f;
        }
    }
    of_warp[0][warp][lane] = squares;
    of_warp[1][warp][lane] = dot;
    __syncthreads(); // each warp has left its sums
    squares = dot = 0.0f;
    for (int w = 0; w < WARPS; w++) {
        squares += of_warp[0][w][lane];
        dot += of_warp[1][w][lane];
    }
    own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    dot *= own * own / s.H;
#pragma unroll 8
    for (int h = warp; h < s.H; h += WARPS) {
        size_t i = first + (size_t)h * s.L;
        bool kept = h < KEPT; // a block with more channels reads those again
        float at_x = kept ? kept_x[h][lane] : inside ? x[i] : 0.0f;
        float at_dn = kept ? kept_dn[h][lane] : inside ? dn[i] : 0.0f;
        float old = inside ? skip[i] : 0.0f;
        float sum = warp_sum(at_dn * at_x * own);

        if (inside)
            dx[i] = old + own * (gamma[h] * at_dn - at_x * dot);
        if (lane == 0)
            sums[(size_t)blockIdx.x * s.H + h] = sum;
    }
}

// A block per channel h = blockIdx.x.
static __global__ void rms_channel(const float *sums, float *dgamma,
                                   unsigned tiles)
{
    float sum = 0.0f;

#pragma unroll 8
    for (unsigned tile = threadIdx.x; tile < tiles; tile += THREADS)
        sum += sums[(size_t)tile * gridDim.x + blockIdx.x];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        dgamma[blockIdx.x] = sum;
}

static unsigned tiles(struct block_shape s)
{
    return ((unsigned)s.B * s.L - 1) / LANES + 1;
}

size_t rms_backward_workspace(struct block_shape shape)
{
    return (size_t)tiles(shape) * shape.H * sizeof(float); // sums
}

cudaError_t rms_backward(const float *x, const float *gamma, const float *dn,
                         const float *skip, float *dx, float *dgamma,
                         struct block_shape shape, void *workspace,
                         cudaStream_t stream)
{
    float *sums = (float *)workspace;

    rms_tile<<<tiles(shape), THREADS, 0, stream>>>(x, gamma, dn, skip, dx, sums,
                                                   shape);
    rms_channel<<<shape.H, THREADS, 0, stream>>>(sums, dgamma, tiles(shape));
    return cudaGetLastError();
}
