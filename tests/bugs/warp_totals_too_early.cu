// SPDX-License-Identifier: MIT
/* Each warp leaves its total, and the first warp adds them up at once. */
__global__ void sum(const int *x, int *y)
{
    __shared__ int total[THREADS / LANES];
    int t = threadIdx.x, all = x[t];
    for (int d = LANES / 2; d > 0; d /= 2)
        all += __shfl_down_sync(0xffffffff, all, d);
    if (t % LANES == 0)
        total[t / LANES] = all; // against
#ifdef MENDED
    __syncthreads();
#endif
    if (t == 0) {
        for (int w = 1; w < THREADS / LANES; w++)
            all += total[w]; // finds: race
        *y = all;
    }
}

static void run(void)
{
    sum<<<1, THREADS>>>(cells(THREADS), cells(1));
    launched();
}
