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
    // Over the channels h: the sum of x^2, and that of gamma[h] dn x. The first
    // gives the scale, both together the second term of op/block.h's formula.
    // Then over the channels again: dx. Leave the scale in scale[r].
    //< todo
}

// A block per channel.
static __global__ void rms_channel(const float *x, const float *dn,
                                   const float *scale, float *dgamma,
                                   struct block_shape s)
{
    //> todo channel (about 11 lines)
    // The sum of dn x scale over all steps of channel blockIdx.x.
    //< todo
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
    //> todo launch (about 5 lines)
    // Both kernels, on this stream: one leaves scale in the workspace.
    //< todo
    return cudaGetLastError();
}
