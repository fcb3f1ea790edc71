// SPDX-License-Identifier: MIT
/* The last block to come adds up what the others left: without a fence before
 * the counter, theirs may not be there. */
__global__ void sum(int *part, unsigned *count, int *total)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = (int)blockIdx.x; // against
#ifdef MENDED
        __threadfence();
#endif
        last = atomicInc(count, BLOCKS - 1) == BLOCKS - 1;
    }
    __syncthreads();
    __threadfence();
    if (last && threadIdx.x == 0)
        for (int b = 0; b < BLOCKS; b++)
            *total += part[b]; // finds: race
}

static void run(void)
{
    sum<<<BLOCKS, THREADS>>>(cells(BLOCKS), (unsigned *)cells(1), cells(1));
    launched();
}
