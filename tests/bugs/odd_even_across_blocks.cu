// SPDX-License-Identifier: MIT
/* Odd-even sort: a barrier separates the steps of one block, but its last thread
 * exchanges with the next block's first cell. */
__global__ void sort(int *x, int n, int from, int to)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int step = from; step < to; step++) {
        int at = i + step % 2;
        if (at + 1 < n) {
            int a = x[at], b = x[at + 1]; // finds: race
            x[at] = min(a, b); // against
            x[at + 1] = max(a, b); // against
        }
        __syncthreads();
    }
}

static void run(void)
{
    int *x = cells(2 * N);
#ifdef MENDED
    for (int step = 0; step < 6; step++)
        sort<<<BLOCKS, THREADS>>>(x, 2 * N, step, step + 1);
#else
    sort<<<BLOCKS, THREADS>>>(x, 2 * N, 0, 6);
#endif
    launched();
}
