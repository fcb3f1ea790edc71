// SPDX-License-Identifier: MIT
/* Like last_block_without_fence, with a fence for the block only. */
__global__ void sum(int *part, unsigned *count, int *total)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = (int)blockIdx.x; // against
#ifdef MENDED
        __threadfence();
#else
        __threadfence_block();
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
