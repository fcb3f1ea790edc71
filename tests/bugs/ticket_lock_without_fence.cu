// SPDX-License-Identifier: MIT
/* A lock that serves by number orders nothing by itself. */
__global__ void add(unsigned *next, volatile unsigned *serving, int *total)
{
    if (threadIdx.x)
        return;
    unsigned mine = atomicAdd(next, 1);
    while (*serving != mine)
        ;
#ifdef MENDED
    __threadfence();
#endif
    *total += (int)mine; // finds: race
#ifdef MENDED
    __threadfence();
#endif
    *serving = mine + 1;
}

static void run(void)
{
    add<<<BLOCKS, LANES>>>((unsigned *)cells(1), (unsigned *)cells(1),
                           cells(1));
    launched();
}
