// SPDX-License-Identifier: MIT
/* All blocks but one take the lock for a sum that is volatile: the reads and
 * stores of that one come in between. */
static __device__ void add(int *lock, volatile int *total, int x)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *total = *total + x; // against
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void sum(int *lock, volatile int *total)
{
    if (threadIdx.x)
        return;
#ifndef MENDED
    if (blockIdx.x == 2)
        *total = *total + 100; // finds: race
    else
#endif
        add(lock, total, (int)blockIdx.x + 1);
}

static void run(void)
{
    sum<<<BLOCKS, LANES>>>(cells(1), cells(1));
    launched();
}
