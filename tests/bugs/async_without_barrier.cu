// SPDX-License-Identifier: MIT
/* Each thread waits for its own copies, and reads another's. */
__global__ void turn(const int *x, int *y)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &x[t], sizeof *x); // against
    __pipeline_commit();
    __pipeline_wait_prior(0);
#ifdef MENDED
    __syncthreads();
#endif
    y[t] = tile[THREADS - 1 - t]; // finds: race
}

static void run(void)
{
    turn<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
