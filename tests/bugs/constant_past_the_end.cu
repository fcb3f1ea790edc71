// SPDX-License-Identifier: MIT
/* One tap more than the constant array holds. */
__constant__ int taps[16] = {1, 2, 3};
__global__ void sum(int *x, int n)
{
    int v = 0;
    for (int k = 0; k < n; k++)
        v += taps[k]; // finds: out_of_bounds
    x[threadIdx.x] = v;
}

static void run(void)
{
#ifdef MENDED
    sum<<<1, LANES>>>(cells(LANES), 16);
#else
    sum<<<1, LANES>>>(cells(LANES), 17);
#endif
    launched();
}
