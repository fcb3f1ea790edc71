// SPDX-License-Identifier: MIT
/* A warp has exited; a barrier with a count still waits for it. */
__global__ void meet(int *x)
{
    if (threadIdx.x < LANES)
        return;
#ifdef MENDED
    asm volatile("bar.sync 1, 96;" ::: "memory");
#else
    asm volatile("bar.sync 1, 128;" ::: "memory"); // finds: deadlock
#endif
    x[threadIdx.x] = 1;
}

static void run(void)
{
    meet<<<1, THREADS>>>(cells(THREADS));
    launched();
}
