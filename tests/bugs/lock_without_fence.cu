// SPDX-License-Identifier: MIT
/* A lock of atomics without fences does not order the data. */
__global__ void add(int *lock, int *total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
#ifdef MENDED
    __threadfence();
#endif
    *total += 1; // finds: race
#ifdef MENDED
    __threadfence();
#endif
    atomicExch(lock, 0);
}

static void run(void)
{
    add<<<BLOCKS, LANES>>>(cells(1), cells(1));
    launched();
}
