// SPDX-License-Identifier: MIT
/* And before it leaves the lock, for what it wrote. */
__global__ void add(int *lock, int *total)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
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
