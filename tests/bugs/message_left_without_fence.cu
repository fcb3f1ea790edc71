// SPDX-License-Identifier: MIT
/* The first volatile message is fenced, the second one of the same thread is
 * not; the reader fences both times. */
__global__ void pass(volatile int *message, volatile int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        message[0] = 42;
        __threadfence();
        *flag = 1;
        message[1] = 43; // against
#ifdef MENDED
        __threadfence();
#endif
        *flag = 2;
        return;
    }
    while (*flag < 1)
        ;
    __threadfence();
    got[0] = message[0];
    while (*flag < 2)
        ;
    __threadfence();
    got[1] = message[1]; // finds: unfenced
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(2), cells(1), cells(2));
    launched();
}
