// SPDX-License-Identifier: MIT
/* One lane arrives for its warp, without a __syncwarp() before. */
__global__ void elected(int *y)
{
    __shared__ int tile[LANES];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&full, 1);
    __syncthreads();
    if (t < LANES) {
        tile[t] = t; // against
#ifdef MENDED
        __syncwarp();
#endif
        if (t == 0)
            object_arrive(&full);
    } else {
        object_wait(&full, 0);
        y[t] = tile[t % LANES]; // finds: race
    }
}

static void run(void)
{
    elected<<<1, 2 * LANES>>>(cells(2 * LANES));
    launched();
}
