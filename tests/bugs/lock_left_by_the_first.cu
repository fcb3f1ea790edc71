// SPDX-License-Identifier: MIT
/* Thread 0 holds the lock for its block, and gives it back while others still
 * write. */
__global__ void add(int *lock, int *sum)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    sum[t] += t; // finds: race
    __threadfence();
#ifdef MENDED
    __syncthreads();
#endif
    if (t == 0)
        atomicExch(lock, 0);
}

static void run(void)
{
    add<<<3, THREADS>>>(cells(1), cells(THREADS));
    launched();
}
