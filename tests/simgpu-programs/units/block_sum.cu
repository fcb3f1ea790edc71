// SPDX-License-Identifier: MIT
/* block_sum.cu: of ok/units_grid_sum.cu. */
#include "block_sum.h"

extern __shared__ long long warp_sums[];

__device__ long long block_sum(long long x)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 16; d; d /= 2)
        x += __shfl_xor_sync(0xffffffff, x, d);
    __syncthreads(); /* the sums of an earlier call have been read */
    if (lane == 0)
        warp_sums[warp] = x;
    __syncthreads(); /* every warp's sum is there */
    x = 0;
    for (unsigned w = 0; w < blockDim.x / 32; w++)
        x += warp_sums[w];
    return x;
}
