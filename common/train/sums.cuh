// SPDX-License-Identifier: MIT
/*
 * sums.cuh: sums over the threads of a warp or a block, in a fixed order.
 *
 *   warp_sum    the sum of a value per lane; lane 0 has it
 *   block_sum   the sum of a value per thread; thread 0 has it
 */
#ifndef WB_TRAIN_SUMS_CUH
#define WB_TRAIN_SUMS_CUH

#define SUMS_ALL_LANES 0xffffffffu

// All lanes of a warp call it.
static __device__ float warp_sum(float value)
{
    for (int far = 16; far > 0; far /= 2)
        value += __shfl_down_sync(SUMS_ALL_LANES, value, far);
    return value;
}

// All threads of a block of whole warps, at most 32 of them, call it.
static __device__ float block_sum(float value)
{
    __shared__ float warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_sum(value);
    __syncthreads(); // warps[] of a sum before this one was read
    if (lane == 0)
        warps[warp] = value;
    __syncthreads(); // each warp has left its sum
    value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
    return warp == 0 ? warp_sum(value) : value;
}

#endif
