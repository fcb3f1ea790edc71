// SPDX-License-Identifier: MIT
/* <= for <. */
__global__ void fill(int *x, int n)
{
    int i = threadIdx.x;
#ifdef MENDED
    if (i < n)
#else
    if (i <= n)
#endif
        x[i] = i; // finds: out_of_bounds
}

static void run(void)
{
    fill<<<1, THREADS>>>(cells(100), 100);
    launched();
}
