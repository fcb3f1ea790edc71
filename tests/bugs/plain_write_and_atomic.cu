// SPDX-License-Identifier: MIT
/* The first block clears a counter while others increment it. */
__global__ void count(int *n)
{
#ifdef MENDED
    atomicAdd(n, 1);
#else
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *n = 0; // against
    if (blockIdx.x != 0)
        atomicAdd(n, 1); // finds: race
#endif
}

static void run(void)
{
    count<<<BLOCKS, THREADS>>>(cells(1));
    launched();
}
