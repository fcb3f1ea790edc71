// SPDX-License-Identifier: MIT
/* The last warp of a block's sum goes on by volatile accesses alone, as code for
 * GPUs before Volta did. */
__global__ void sum(const int *x, int *y)
{
    __shared__ int s[THREADS];
    volatile int *v = s;
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = THREADS / 2; d >= LANES; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t < LANES / 2) {
        int mine = v[t];
#pragma unroll
        for (int d = LANES / 2; d > 0; d /= 2) {
            mine += v[t + d]; // finds: race
#ifdef MENDED
            __syncwarp(0xffff);
#endif
            v[t] = mine; // against
#ifdef MENDED
            __syncwarp(0xffff);
#endif
        }
        if (t == 0)
            *y = mine;
    }
}

static void run(void)
{
    sum<<<1, THREADS>>>(cells(THREADS), cells(1));
    launched();
}
