// SPDX-License-Identifier: MIT
/* Who takes the lock has to fence before it reads what the lock guards. */
__global__ void add(int *lock, int *total)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
#ifdef MENDED
    __threadfence();
#endif
    *total += 1; // finds: race
    __threadfence();
    atomicExch(lock, 0);
}

static void run(void)
{
    add<<<BLOCKS, LANES>>>(cells(1), cells(1));
    launched();
}
