// SPDX-License-Identifier: MIT
/* A barrier of all blocks, made by hand: who arrives must have fenced what its
 * block wrote. */
__device__ void meet(unsigned *arrived, unsigned goal)
{
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef MENDED
        __threadfence();
#endif
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < goal)
            ;
        __threadfence();
    }
    __syncthreads();
}

__global__ void shift(int *x, int *y, unsigned *arrived)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1; // against
    meet(arrived, gridDim.x);
    x[i] = y[(i + THREADS) % N]; // finds: race
}

static void run(void)
{
    shift<<<BLOCKS, THREADS>>>(cells(N), cells(N), (unsigned *)cells(1));
    launched();
}
