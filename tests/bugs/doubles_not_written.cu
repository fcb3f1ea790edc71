// SPDX-License-Identifier: MIT
/* The last double was never written. */
__global__ void half(double *x)
{
    x[threadIdx.x] = 1;
}

__global__ void sum(const double *x, double *y)
{
    int i = 2 * threadIdx.x;
    y[threadIdx.x] = x[i] + x[i + 1]; // finds: uninitialised
}

static void run(void)
{
    double *x = (double *)unset(4 * THREADS), *y = (double *)unset(2 * THREADS);
#ifdef MENDED
    half<<<1, 2 * THREADS>>>(x);
#else
    half<<<1, 2 * THREADS - 1>>>(x);
#endif
    sum<<<1, THREADS>>>(x, y);
    launched();
}
