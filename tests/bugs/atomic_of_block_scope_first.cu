// SPDX-License-Identifier: MIT
/* One block adds with the scope of its block, the other with the GPU's: neither
 * order of the blocks makes them see each other. The fence keeps full records. */
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
    } else {
        atomicAdd(total, 1); // against
    }
    __threadfence();
    atomicAdd(done, 1);
}

static void run(void)
{
    totals<<<2, THREADS>>>(cells(1), cells(1));
    launched();
}
