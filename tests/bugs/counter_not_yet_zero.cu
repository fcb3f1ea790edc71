// SPDX-License-Identifier: MIT
/* Thread 0 clears a counter that others increment already. */
__global__ void count(int *x)
{
    __shared__ int n;
    int t = threadIdx.x;
    if (t == 0)
        n = 0; // against
#ifdef MENDED
    __syncthreads();
#endif
    atomicAdd(&n, 1); // finds: race
    __syncthreads();
    x[t] = n;
}

static void run(void)
{
    count<<<1, THREADS>>>(cells(THREADS));
    launched();
}
