// SPDX-License-Identifier: MIT
/* One warp writes and arrives, another reads: without a wait for the phase. */
__global__ void handed_on(int *y)
{
    __shared__ int tile[LANES];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&full, LANES);
    __syncthreads();
    if (t < LANES) {
        tile[t] = t; // against
        object_arrive(&full);
    } else {
#ifdef MENDED
        object_wait(&full, 0);
#endif
        y[t] = tile[t % LANES]; // finds: race
    }
}

static void run(void)
{
    handed_on<<<1, 2 * LANES>>>(cells(2 * LANES));
    launched();
}
