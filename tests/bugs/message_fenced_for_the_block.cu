// SPDX-License-Identifier: MIT
/* The writer fences a volatile message for its block alone, and the reader is
 * in another one. */
__global__ void pass(volatile int *message, volatile int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *message = 42; // against
#ifdef MENDED
        __threadfence();
#else
        __threadfence_block();
#endif
        *flag = 1;
        return;
    }
    while (!*flag)
        ;
    __threadfence();
    *got = *message; // finds: unfenced
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(1), cells(1), cells(1));
    launched();
}
