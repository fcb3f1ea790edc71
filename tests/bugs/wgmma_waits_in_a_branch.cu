// SPDX-License-Identifier: MIT
/* Half of each warp closes the group of products, and waits for it. */
__global__ void waits(int *y)
{
#ifndef MENDED
    if (threadIdx.x % LANES < LANES / 2)
#endif
    {
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); // finds: deadlock
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); // finds: deadlock
    }
    y[threadIdx.x] = 1;
}

static void run(void)
{
    waits<<<1, THREADS>>>(cells(THREADS));
    launched();
}
