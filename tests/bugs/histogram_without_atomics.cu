// SPDX-License-Identifier: MIT
/* Bins that several threads count in. */
__global__ void histogram(int *x)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0;
    __syncthreads();
#ifdef MENDED
    atomicAdd(&bins[t * t % 8], 1);
#else
    bins[t * t % 8]++; // finds: race
#endif
    __syncthreads();
    if (t < 8)
        x[t] = bins[t];
}

static void run(void)
{
    histogram<<<1, THREADS>>>(cells(8));
    launched();
}
