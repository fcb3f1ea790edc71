// SPDX-License-Identifier: MIT
/* The left neighbour of the first element. */
__global__ void difference(const int *x, int *y)
{
    int i = threadIdx.x;
#ifdef MENDED
    y[i] = i > 0 ? x[i] - x[i - 1] : 0;
#else
    y[i] = x[i] - x[i - 1]; // finds: out_of_bounds
#endif
}

static void run(void)
{
    difference<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
