// SPDX-License-Identifier: MIT
/* One lane of each warp fences the sums' registers; wgmma.fence is for all. */
__global__ void fences(int *y)
{
#ifndef MENDED
    if (threadIdx.x % LANES == 0)
#endif
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); // finds: deadlock
    y[threadIdx.x] = 1;
}

static void run(void)
{
    fences<<<1, THREADS>>>(cells(THREADS));
    launched();
}
