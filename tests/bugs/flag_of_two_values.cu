// SPDX-License-Identifier: MIT
/* Every thread that finds a large value says so. What they say must be the
 * same: then it does not matter who is last. */
__global__ void any_large(const int *x, int *y)
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (x[threadIdx.x] + threadIdx.x > 2)
#ifdef MENDED
        found = 1; // notes: equal_writes
#else
        found = threadIdx.x; // finds: race
#endif
    __syncthreads();
    y[threadIdx.x] = found;
}

static void run(void)
{
    any_large<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
