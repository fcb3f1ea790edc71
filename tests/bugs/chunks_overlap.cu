// SPDX-License-Identifier: MIT
/* Each block's chunk ends one cell too late. */
__global__ void fill(int *x)
{
    int first = blockIdx.x * THREADS;
#ifdef MENDED
    int end = first + THREADS;
#else
    int end = first + THREADS + 1;
#endif
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        x[i] = (int)blockIdx.x; // finds: race
}

static void run(void)
{
    fill<<<BLOCKS, LANES>>>(cells(N + 1));
    launched();
}
