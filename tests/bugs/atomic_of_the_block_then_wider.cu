// SPDX-License-Identifier: MIT
/* A block adds at its own scope first: the other block may miss that. */
__global__ void totals(int *total, int *done)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
#ifdef MENDED
        atomicAdd(total, 1);
#else
        atomicAdd_block(total, 1); // finds: race
#endif
    }
    atomicAdd(total, 1); // against
    __threadfence();
    atomicAdd(done, 1);
}

static void run(void)
{
    totals<<<2, LANES>>>(cells(1), cells(1));
    launched();
}
