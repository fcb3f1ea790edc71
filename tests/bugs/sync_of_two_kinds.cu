// SPDX-License-Identifier: MIT
/* Half of the lanes shuffle, half wait at a __syncwarp(): neither completes the
 * other. */
__global__ void halves(int *x)
{
    int lane = threadIdx.x, got = lane;
#ifdef MENDED
    got = __shfl_sync(~0u, lane, 1);
#else
    if (lane < 16)
        got = __shfl_sync(~0u, lane, 1); // finds: deadlock
    else
        __syncwarp(~0u); // finds: deadlock
#endif
    x[lane] = got;
}

static void run(void)
{
    halves<<<1, LANES>>>(cells(LANES));
    launched();
}
