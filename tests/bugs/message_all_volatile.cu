// SPDX-License-Identifier: MIT
/* A message and its flag, both volatile: no race in PTX, and no order either.
 * The reader may find the flag raised and the message old. */
__global__ void pass(volatile int *message, volatile int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *message = 42; // against
#ifdef MENDED
        __threadfence();
#endif
        *flag = 1;
        return;
    }
    while (!*flag)
        ;
#ifdef MENDED
    __threadfence();
#endif
    *got = *message; // finds: unfenced
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(1), cells(1), cells(1));
    launched();
}
