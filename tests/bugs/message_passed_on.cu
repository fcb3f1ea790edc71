// SPDX-License-Identifier: MIT
/* A block waits for another one, which has waited for the one that wrote the
 * volatile message: each hand that passes it on needs its fence. */
__global__ void pass(volatile int *message, volatile int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *message = 42; // against
        __threadfence();
        flag[0] = 1;
    } else if (blockIdx.x == 1) {
        while (!flag[0])
            ;
#ifdef MENDED
        __threadfence();
#endif
        flag[1] = 1;
    } else {
        while (!flag[1])
            ;
        __threadfence();
        *got = *message; // finds: unfenced
    }
}

static void run(void)
{
    pass<<<3, LANES>>>(cells(1), cells(2), cells(1));
    launched();
}
