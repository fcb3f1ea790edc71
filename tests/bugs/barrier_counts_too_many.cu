// SPDX-License-Identifier: MIT
/* A named barrier for more threads than the block has. */
__global__ void meet(int *x)
{
#ifdef MENDED
    asm volatile("bar.sync 1, 128;" ::: "memory");
#else
    asm volatile("bar.sync 1, 192;" ::: "memory"); // finds: deadlock
#endif
    x[threadIdx.x] = 1;
}

static void run(void)
{
    meet<<<1, THREADS>>>(cells(THREADS));
    launched();
}
