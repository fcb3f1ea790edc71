// SPDX-License-Identifier: MIT
/* The first block to come fills a table, under a lock; others look first whether
 * that has been done. They must look as one looks at a flag. */
__global__ void fill(int *lock, int *done, int *table, int *y)
{
    if (threadIdx.x)
        return;
#ifdef MENDED
    bool ready = *(volatile int *)done;
    __threadfence();
#else
    bool ready = *done; // finds: race
#endif
    if (!ready) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        if (!*(volatile int *)done) {
            *table = 42; // against
            __threadfence();
            *(volatile int *)done = 1; // against
        }
        __threadfence();
        atomicExch(lock, 0);
    }
    y[blockIdx.x] = *table; // against
}

static void run(void)
{
    fill<<<BLOCKS, LANES>>>(cells(1), cells(1), cells(1), cells(BLOCKS));
    launched();
}
