// SPDX-License-Identifier: MIT
/* No thread fills the last words of a tile. */
__global__ void fill(int *x)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
#ifdef MENDED
    tile[t] = t;
#else
    if (t < THREADS - 4)
        tile[t] = t;
#endif
    __syncthreads();
    x[t] = tile[THREADS - 1 - t]; // finds: uninitialised
}

static void run(void)
{
    fill<<<1, THREADS>>>(cells(THREADS));
    launched();
}
