// SPDX-License-Identifier: MIT
/* Each warp turns tiles around in shared memory: what it writes for the next one
 * may come before a slower lane has read the last. */
__global__ void turn(const int *x, int *y, int tiles)
{
    __shared__ int s[THREADS / LANES][LANES];
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
#pragma unroll 1
    for (int n = warp; n < tiles; n += THREADS / LANES) {
        s[warp][lane] = x[n * LANES + lane]; // finds: race
        __syncwarp();
        y[n * LANES + lane] = s[warp][LANES - 1 - lane]; // against
#ifdef MENDED
        __syncwarp();
#endif
    }
}

static void run(void)
{
    turn<<<1, THREADS>>>(cells(12 * LANES), cells(12 * LANES), 12);
    launched();
}
