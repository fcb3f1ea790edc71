// SPDX-License-Identifier: MIT
/* The reader's fence is of its block, the writer is in another one. */
__global__ void pass(int *message, volatile int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *message = 42; // against
        __threadfence();
        *flag = 1;
    } else {
        while (!*flag)
            ;
#ifdef MENDED
        __threadfence();
#else
        __threadfence_block();
#endif
        *got = *message; // finds: race
    }
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(1), cells(1), cells(1));
    launched();
}
