// SPDX-License-Identifier: MIT
/* No bug: lanes of a warp take a lock in a function. Who has it comes out of
 * the loop, and must go on before the others can. */
__device__ __noinline__ void take_and_add(int *lock, int *x)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *x += 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void count(int *lock, int *x)
{
    take_and_add(lock, x);
}

static void run(void)
{
    count<<<1, 32>>>(cells(1), cells(1));
    launched();
}
