// SPDX-License-Identifier: MIT
/* Blocks take rows from a queue. The next row may come before all threads have
 * read which one this is. */
__global__ void work(int *next, int *x, int rows)
{
    __shared__ int row;
    for (;;) {
        if (threadIdx.x == 0)
            row = atomicAdd(next, 1); // finds: race
        __syncthreads();
        int mine = row; // against
        if (mine >= rows)
            return;
        x[mine * THREADS + threadIdx.x] += mine;
#ifdef MENDED
        __syncthreads();
#endif
    }
}

static void run(void)
{
    work<<<3, THREADS>>>(cells(1), cells(10 * THREADS), 10);
    launched();
}
