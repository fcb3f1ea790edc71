// SPDX-License-Identifier: MIT
/* The next copy goes into the stage that others still read. */
__global__ void stages(const int *x, int *y)
{
    __shared__ int tile[2][THREADS];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof *x);
    __pipeline_commit();
    for (int row = 0; row < BLOCKS; row++) {
        if (row + 1 < BLOCKS)
            __pipeline_memcpy_async(&tile[(row + 1) % 2][t], // finds: race
                                    &x[(row + 1) * THREADS + t], sizeof *x);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        y[row * THREADS + t] = tile[row % 2][THREADS - 1 - t]; // against
#ifdef MENDED
        __syncthreads();
#endif
    }
}

static void run(void)
{
    stages<<<1, THREADS>>>(cells(N), cells(N));
    launched();
}
