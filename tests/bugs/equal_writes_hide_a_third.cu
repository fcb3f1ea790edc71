// SPDX-License-Identifier: MIT
/* Warps 0 and 1 write the same; warp 2 has met warp 1 alone. */
__global__ void third(int *x)
{
    __shared__ int s;
    int warp = threadIdx.x / LANES;
    if (warp < 2 && threadIdx.x % LANES == 0)
        s = 1; // against // notes: equal_writes
#ifdef MENDED
    __syncthreads();
#else
    if (warp > 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
    if (threadIdx.x == 2 * LANES)
        s = 2; // finds: race
    __syncthreads();
    x[threadIdx.x] = s;
}

static void run(void)
{
    third<<<1, 3 * LANES>>>(cells(3 * LANES));
    launched();
}
