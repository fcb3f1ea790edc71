// SPDX-License-Identifier: MIT
/* A store into bytes that a copy is about to write. */
__global__ void pad(const int *x, int *y)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &x[t], sizeof *x); // against
    __pipeline_commit();
#ifdef MENDED
    __pipeline_wait_prior(0);
#endif
    if (t % 4 == 0)
        tile[t] = 0; // finds: race
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] = tile[t];
}

static void run(void)
{
    pad<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
