// SPDX-License-Identifier: MIT
/* A block has 16 barriers. */
__global__ void meet(int *x, int which)
{
    asm volatile("bar.sync %0;" ::"r"(which) : "memory"); // finds: barrier_misuse
    x[threadIdx.x] = 1;
}

static void run(void)
{
#ifdef MENDED
    meet<<<1, THREADS>>>(cells(THREADS), 15);
#else
    meet<<<1, THREADS>>>(cells(THREADS), 16);
#endif
    launched();
}
