// SPDX-License-Identifier: MIT
/* The same barrier, without the one of the block before it: thread 0 arrives for
 * warps that still write. */
__global__ void shift(int *x, int *y, unsigned *arrived)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1; // against
#ifdef MENDED
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    x[i] = y[(i + THREADS) % N]; // finds: race
}

static void run(void)
{
    shift<<<BLOCKS, THREADS>>>(cells(N), cells(N), (unsigned *)cells(1));
    launched();
}
