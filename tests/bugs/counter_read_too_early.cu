// SPDX-License-Identifier: MIT
/* All increment; each reads the count before all have done so. */
__global__ void count(int *x)
{
    __shared__ int n;
    int t = threadIdx.x;
    if (t == 0)
        n = 0;
    __syncthreads();
    if (t % 3 == 0)
        atomicAdd(&n, 1); // against
#ifdef MENDED
    __syncthreads();
#endif
    x[t] = n; // finds: race
}

static void run(void)
{
    count<<<1, THREADS>>>(cells(THREADS));
    launched();
}
