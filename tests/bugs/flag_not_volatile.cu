// SPDX-License-Identifier: MIT
/* A plain store raises the flag, with the fence that it needs. */
__global__ void pass(unsigned *next, int *message, int *flag, int *got)
{
    if (threadIdx.x != 0)
        return;
    unsigned ticket = atomicInc(next, ~0u);
    if (ticket == 0) {
        *message = 42; // against
        __threadfence();
#ifdef MENDED
        atomicExch(flag, 1);
#else
        *flag = 1; // against
#endif
    } else if (ticket == 1) {
        while (!*(volatile int *)flag) // finds: race
            ;
        __threadfence();
        *got = *message; // finds: race
    }
}

static void run(void)
{
    pass<<<2, LANES>>>((unsigned *)cells(1), cells(1), cells(1), cells(1));
    launched();
}
