// SPDX-License-Identifier: MIT
/* The launch passes a number of elements instead of bytes. */
__global__ void fill(int *x)
{
    extern __shared__ int dynamic_tile[];
    dynamic_tile[threadIdx.x] = 1; // finds: out_of_bounds
    x[threadIdx.x] = dynamic_tile[threadIdx.x];
}

static void run(void)
{
#ifdef MENDED
    fill<<<1, THREADS, THREADS * sizeof(int)>>>(cells(THREADS));
#else
    fill<<<1, THREADS, THREADS>>>(cells(THREADS));
#endif
    launched();
}
