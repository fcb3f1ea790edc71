// SPDX-License-Identifier: MIT
/* Two warps disagree about how many threads meet. */
__global__ void meet(int *x)
{
#ifdef MENDED
    int n = 64;
#else
    int n = threadIdx.x < LANES ? 64 : 96;
#endif
    asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory"); // finds: barrier_misuse
    x[threadIdx.x] = 1;
}

static void run(void)
{
    meet<<<1, 2 * LANES>>>(cells(2 * LANES));
    launched();
}
