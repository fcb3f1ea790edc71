// SPDX-License-Identifier: MIT
/* Thread 0 waits for all blocks, but its own block does not wait for it. */
__global__ void shift(int *x, int *y, volatile int *generation, int *arrived)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1; // against
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        int mine = *generation;
        __threadfence();
        if (atomicAdd(arrived, 1) == BLOCKS - 1) {
            atomicExch(arrived, 0);
            __threadfence();
            *generation = mine + 1;
        } else {
            while (*generation == mine)
                ;
        }
        __threadfence();
    }
#ifdef MENDED
    __syncthreads();
#endif
    x[i] = y[(i + THREADS) % N]; // finds: race
}

static void run(void)
{
    shift<<<BLOCKS, THREADS>>>(cells(N), cells(N), cells(1), cells(1));
    launched();
}
