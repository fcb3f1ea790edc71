// SPDX-License-Identifier: MIT
/* Half of the blocks add to a counter of 8 bytes, the others to its low word. */
__global__ void count(unsigned long long *total)
{
    if (threadIdx.x)
        return;
#ifndef MENDED
    if (blockIdx.x % 2) {
        atomicAdd((unsigned *)total, 1u); // against
        return;
    }
#endif
    atomicAdd(total, 1ull); // finds: race
}

static void run(void)
{
    count<<<BLOCKS, LANES>>>((unsigned long long *)cells(2));
    launched();
}
