// SPDX-License-Identifier: MIT
/* The array is freed before the kernel that reads it. */
__global__ void copy(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // finds: use_after_free
}

static void run(void)
{
    int *x = cells(THREADS), *y = cells(THREADS);
#ifndef MENDED
    CUDA(cudaFree(x));
#endif
    copy<<<1, THREADS>>>(x, y);
    launched();
}
