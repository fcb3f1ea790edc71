// SPDX-License-Identifier: MIT
/* Every block adds to one sum. */
__global__ void add(int *total)
{
    if (threadIdx.x == 0)
#ifdef MENDED
        atomicAdd(total, (int)blockIdx.x);
#else
        *total += (int)blockIdx.x; // finds: race
#endif
}

static void run(void)
{
    add<<<BLOCKS, THREADS>>>(cells(1));
    launched();
}
