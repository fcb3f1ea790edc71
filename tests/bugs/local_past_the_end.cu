// SPDX-License-Identifier: MIT
/* An index past the end of a local array. */
__global__ void pick(int *x, int n)
{
    int own[8];
    for (int k = 0; k < n; k++)
        own[k] = k; // finds: out_of_bounds
    x[threadIdx.x] = own[threadIdx.x % 8];
}

static void run(void)
{
#ifdef MENDED
    pick<<<1, LANES>>>(cells(LANES), 8);
#else
    pick<<<1, LANES>>>(cells(LANES), 9);
#endif
    launched();
}
