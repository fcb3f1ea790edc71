// SPDX-License-Identifier: MIT
/* No bug: blocks take rows from a queue until it is empty. */
__global__ void work(int *next, int *x, int rows)
{
    __shared__ int row;
    for (;;) {
        if (threadIdx.x == 0)
            row = atomicAdd(next, 1);
        __syncthreads();
        int mine = row;
        if (mine >= rows)
            return;
        for (int pass = 0; pass < 2; pass++)
            x[mine * THREADS + threadIdx.x] += mine;
        __syncthreads();
    }
}

static void run(void)
{
    work<<<3, THREADS>>>(cells(1), cells(10 * THREADS), 10);
    launched();
}
