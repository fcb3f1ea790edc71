// SPDX-License-Identifier: MIT
/* atomicAdd_block is atomic only among threads of one block. */
__global__ void add(int *total)
{
#ifdef MENDED
    atomicAdd(total, 1);
#else
    atomicAdd_block(total, 1); // finds: race
#endif
}

static void run(void)
{
    add<<<BLOCKS, THREADS>>>(cells(1));
    launched();
}
