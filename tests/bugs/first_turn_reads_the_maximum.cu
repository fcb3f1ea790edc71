// SPDX-License-Identifier: MIT
/* The maximum so far is there from the second turn on. nvcc loads the word in
 * each turn, and selects. */
__global__ void most(const int *x, int *y, int n, int first)
{
    __shared__ int sofar;
    for (int c = 0; c < n; c += THREADS) {
        int v = x[c + threadIdx.x];
        int old = c > first ? sofar : -1; // finds: uninitialised
        for (int k = 16; k; k /= 2)
            v = max(v, __shfl_xor_sync(~0u, v, k));
        v = max(v, old);
        __syncthreads();
        if (threadIdx.x == 0)
            sofar = v;
        __syncthreads();
        y[c + threadIdx.x] = v;
    }
}

static void run(void)
{
#ifdef MENDED
    int first = 0;
#else
    int first = -1;
#endif
    most<<<1, THREADS>>>(cells(4 * THREADS), cells(4 * THREADS), 4 * THREADS,
                         first);
    launched();
}
