// SPDX-License-Identifier: MIT
/* A ticket from an atomic orders nothing that follows it. */
__global__ void take(int *next, int *x, int *y)
{
    __shared__ int ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(next, 1);
    __syncthreads();
    int i = ticket * THREADS + threadIdx.x;
#ifdef MENDED
    y[i] = x[i];
#else
    x[i] = ticket;          // against
    y[i] = x[(i + THREADS) % N]; // finds: race
#endif
}

static void run(void)
{
    take<<<BLOCKS, THREADS>>>(cells(1), cells(N), cells(N));
    launched();
}
