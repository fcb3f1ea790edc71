// SPDX-License-Identifier: MIT
/* Each lane adds up what all lanes of its warp wrote, and nothing says that they
 * have: a volatile read does not wait, and the loop ends by a counter. */
__global__ void sum(int *y, int n)
{
    __shared__ int s[LANES];
    volatile int *v = s;
    int lane = threadIdx.x, all = 0;
    v[lane] = lane; // against
#ifdef MENDED
    __syncwarp();
#endif
#pragma unroll 1
    for (int k = 0; k < n; k++)
        all += v[k]; // finds: race
    y[lane] = all;
}

static void run(void)
{
    sum<<<1, LANES>>>(cells(LANES), LANES);
    launched();
}
