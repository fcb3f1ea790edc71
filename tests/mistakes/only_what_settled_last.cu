// SPDX-License-Identifier: MIT
// mistake: = for += where sums in registers join the partial ones on chip
// chapter: 09 weight_grad
// expect: WRONG formula
// say: only the last products counted
//> todo settle
// Adds the lane's sums to its partial ones, and clears them.
static __device__ void settle(float *partial, float *sum)
{
#pragma unroll
    for (int k = 0; k < TILE; k++) {
        partial[k * LANES] = sum[k];
        sum[k] = 0.0f;
    }
}
//< todo
