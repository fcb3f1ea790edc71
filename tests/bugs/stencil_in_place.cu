// SPDX-License-Identifier: MIT
/* A barrier orders the threads of one block only. */
__global__ void smooth(const int *x, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    int sum = x[i] + x[(i + 1) % N]; // finds: race
    __syncthreads();
    y[i] = sum; // against
}

static void run(void)
{
    int *x = cells(N);
#ifdef MENDED
    smooth<<<BLOCKS, THREADS>>>(x, cells(N));
#else
    smooth<<<BLOCKS, THREADS>>>(x, x);
#endif
    launched();
}
