// SPDX-License-Identifier: MIT
/* The next chunk overwrites a tile that others still read. */
__global__ void chunks(const int *x, int *y)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x, sum = 0;
    for (int c = 0; c < 3; c++) {
        tile[t] = x[c * THREADS + t]; // finds: race
        __syncthreads();
        sum += tile[THREADS - 1 - t]; // against
#ifdef MENDED
        __syncthreads();
#endif
    }
    y[t] = sum;
}

static void run(void)
{
    int x[3 * THREADS], *dx = cells(3 * THREADS);
    for (int i = 0; i < 3 * THREADS; i++)
        x[i] = i;
    CUDA(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    chunks<<<1, THREADS>>>(dx, cells(THREADS));
    launched();
}
