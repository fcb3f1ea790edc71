// SPDX-License-Identifier: MIT
// Stage 24, the gradient of the RMS norm, and of the way around the block.
// New: sums over the channels of a step, and sums over the steps of a channel.
// Before: swish_backward, which has only sums over steps.
// Counter: global_bytes_over_compulsory is 1.2: x and dn are read once.

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

    //> todo scale (about 23 lines)
    // Over this warp's channels h: the sum of x^2, and that of gamma[h] dn x.
    // Keep x and dn of the first KEPT channels in shared memory. Then add up
    // what the block's warps have of this lane's step: see op/block.h.
    //< todo
    //> todo gradient (about 14 lines)
    // Over the channels again: dx, and the tile's part of dgamma[h]. Lanes past
    // B L have no step, but all lanes must reach warp_sum.
    //< todo
}

// A block per channel h = blockIdx.x.
static __global__ void rms_channel(const float *sums, float *dgamma,
                                   unsigned tiles)
{
    //> todo channel (about 7 lines)
    // The sum of what the tiles left for channel blockIdx.x.
    //< todo
}

static unsigned tiles(struct block_shape s)
{
    return ((unsigned)s.B * s.L - 1) / LANES + 1;
}

size_t rms_backward_workspace(struct block_shape shape)
{
    //> todo workspace (about 1 lines)
    // Bytes of device memory: what one kernel leaves for the other.
    (void)shape;
    return 0;
    //< todo
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
