// SPDX-License-Identifier: MIT
/* No bug: one histogram per block, then atomics into the grid's. */
__global__ void histogram(const unsigned char *x, int n, unsigned *bins)
{
    __shared__ unsigned mine[16];
    if (threadIdx.x < 16)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&mine[x[i] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

static void run(void)
{
    histogram<<<BLOCKS, THREADS>>>((const unsigned char *)cells(N), 4 * N,
                                   (unsigned *)cells(16));
    launched();
}
