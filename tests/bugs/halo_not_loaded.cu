// SPDX-License-Identifier: MIT
/* A stencil's tile without its right-hand halo. */
__global__ void stencil(const int *x, int *y)
{
    __shared__ int tile[THREADS + 2];
    int t = threadIdx.x;
    tile[t + 1] = x[t];
    if (t == 0)
        tile[0] = 0;
#ifdef MENDED
    if (t == 1)
        tile[THREADS + 1] = 0;
#endif
    __syncthreads();
    y[t] = tile[t] + tile[t + 1] + tile[t + 2]; // finds: uninitialised
}

static void run(void)
{
    stencil<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
