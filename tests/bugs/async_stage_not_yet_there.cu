// SPDX-License-Identifier: MIT
/* Two stages are pending; the wait leaves both pending. */
__global__ void stages(const int *x, int *y)
{
    __shared__ int tile[2][THREADS];
    int t = threadIdx.x;
    for (int s = 0; s < 2; s++) {
        __pipeline_memcpy_async(&tile[s][t], &x[s * THREADS + t], 4); // against
        __pipeline_commit();
    }
#ifdef MENDED
    __pipeline_wait_prior(1);
#else
    __pipeline_wait_prior(2);
#endif
    __syncthreads();
    y[t] = tile[0][t]; // finds: race
    __pipeline_wait_prior(0);
}

static void run(void)
{
    stages<<<1, THREADS>>>(cells(2 * THREADS), cells(THREADS));
    launched();
}
