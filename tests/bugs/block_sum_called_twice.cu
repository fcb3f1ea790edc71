// SPDX-License-Identifier: MIT
/* A function that sums over the block, called twice: the second call writes what
 * the first one's threads still read. */
__device__ int block_sum(int x)
{
    __shared__ int total[THREADS / LANES];
    int t = threadIdx.x, all = 0;
    for (int d = LANES / 2; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffff, x, d);
#ifdef MENDED
    __syncthreads();
#endif
    if (t % LANES == 0)
        total[t / LANES] = x; // finds: race
    __syncthreads();
    for (int w = 0; w < THREADS / LANES; w++)
        all += total[w]; // against
    return all;
}

__global__ void variance(const int *x, int *y)
{
    int mine = x[threadIdx.x], mean = block_sum(mine) / THREADS;
    y[threadIdx.x] = block_sum((mine - mean) * (mine - mean));
}

static void run(void)
{
    variance<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
