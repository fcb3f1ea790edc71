// SPDX-License-Identifier: MIT
/* One lane waits for its warp, and the others do not wait for that lane: they
 * may be ahead of it. */
__global__ void elected(int *y)
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
        if (t == LANES)
            object_wait(&full, 0);
#ifdef MENDED
        __syncwarp();
#endif
        y[t] = tile[t % LANES]; // finds: race
    }
}

static void run(void)
{
    elected<<<1, 2 * LANES>>>(cells(2 * LANES));
    launched();
}
