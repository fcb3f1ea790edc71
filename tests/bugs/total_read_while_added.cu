// SPDX-License-Identifier: MIT
/* Plain loads read a sum to which other blocks still add. */
__global__ void add(int *total, int *seen)
{
    if (threadIdx.x != 0)
        return;
    int old = atomicAdd(total, 1); // against
#ifdef MENDED
    seen[blockIdx.x] = old;
#else
    seen[blockIdx.x] = *total + old; // finds: race
#endif
}

static void run(void)
{
    add<<<BLOCKS, THREADS>>>(cells(1), cells(BLOCKS));
    launched();
}
