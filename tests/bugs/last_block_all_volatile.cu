// SPDX-License-Identifier: MIT
/* The last block to come adds up what the others left. That it is volatile does
 * not put it in order with the counter. */
__global__ void sum(volatile int *part, unsigned *count, int *total)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = (int)blockIdx.x; // against
#ifdef MENDED
        __threadfence();
#endif
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    __threadfence();
    if (last && threadIdx.x == 0)
        for (int b = 0; b < BLOCKS; b++)
            *total += part[b]; // finds: unfenced
}

static void run(void)
{
    sum<<<BLOCKS, THREADS>>>(cells(BLOCKS), (unsigned *)cells(1), cells(1));
    launched();
}
