// SPDX-License-Identifier: MIT
/* A message and a volatile flag: the flag may arrive first. */
__global__ void pass(unsigned *next, int *message, volatile int *flag, int *got)
{
    if (threadIdx.x != 0)
        return;
    unsigned ticket = atomicInc(next, ~0u);
    if (ticket == 0) {
        *message = 42; // against
#ifdef MENDED
        __threadfence();
#endif
        *flag = 1;
    } else if (ticket == 1) {
        while (!*flag)
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
