// SPDX-License-Identifier: MIT
// Stage 24, the gradient of the RMS norm, and of the way around the block.
// New: sums over the channels of a step, and sums over the steps of a channel.
// Before: swish_backward, which has only sums over steps.
// Counter: global_bytes_over_compulsory is 2.4: x and dn are read three times.

#include "op/block.h"

enum { THREADS = 256, LANES = 32 };
#define ALL_LANES 0xffffffffu

// The sum over a block's threads, in a fixed order; thread 0 has it.
static __device__ float block_sum(float value)
{
    __shared__ float warps[THREADS / LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;

    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    if (lane == 0)
        warps[warp] = value;
    __syncthreads(); // each warp has left its sum
    value = threadIdx.x < THREADS / LANES ? warps[threadIdx.x] : 0.0f;
    for (int far = LANES / 2; warp == 0 && far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

// A thread per step r = b L + t. Its first channel is at b H L + t, the next L
// cells further on; neighbours in r are neighbours in memory. Leaves scale[r].
static __global__ void rms_steps(const float *x, const float *gamma,
                                 const float *dn, const float *skip, float *dx,
                                 float *scale, struct block_shape s)
{
    unsigned r = blockIdx.x * THREADS + threadIdx.x; // may pass B L
    size_t first = (size_t)(r / s.L) * s.H * s.L + r % s.L;

    if (r >= (unsigned)s.B * s.L)
        return;
    //> todo steps (about 18 lines)
    float squares = 0.0f, dot = 0.0f, own;

    for (int h = 0; h < s.H; h++) {
        size_t i = first + (size_t)h * s.L;

        squares += x[i] * x[i];
        dot += gamma[h] * dn[i] * x[i];
    }
    own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    dot *= own * own / s.H;
    for (int h = 0; h < s.H; h++) {
        size_t i = first + (size_t)h * s.L;

        dx[i] = skip[i] + own * (gamma[h] * dn[i] - x[i] * dot);
    }
    scale[r] = own;
    //< todo
}

// A block per channel.
static __global__ void rms_channel(const float *x, const float *dn,
                                   const float *scale, float *dgamma,
                                   struct block_shape s)
{
    //> todo channel (about 11 lines)
    unsigned h = blockIdx.x;
    float sum = 0.0f;

    for (unsigned r = threadIdx.x; r < (unsigned)s.B * s.L; r += THREADS) {
        size_t i = ((size_t)(r / s.L) * s.H + h) * s.L + r % s.L;

        sum += dn[i] * x[i] * scale[r];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        dgamma[h] = sum;
    //< todo
}

size_t rms_backward_workspace(struct block_shape shape)
{
    //> todo workspace (about 1 lines)
    return (size_t)shape.B * shape.L * sizeof(float); // scale
    //< todo
}

cudaError_t rms_backward(const float *x, const float *gamma, const float *dn,
                         const float *skip, float *dx, float *dgamma,
                         struct block_shape shape, void *workspace,
                         cudaStream_t stream)
{
    //> todo launch (about 5 lines)
    unsigned blocks = ((unsigned)shape.B * shape.L - 1) / THREADS + 1;
    float *scale = (float *)workspace;

    rms_steps<<<blocks, THREADS, 0, stream>>>(x, gamma, dn, skip, dx, scale,
                                              shape);
    rms_channel<<<shape.H, THREADS, 0, stream>>>(x, dn, scale, dgamma, shape);
    //< todo
    return cudaGetLastError();
}
