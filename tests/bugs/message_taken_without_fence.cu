// SPDX-License-Identifier: MIT
/* The writer fences between its two volatile stores; the reader does not
 * between its two loads. It sleeps between looks at the flag. */
__global__ void pass(volatile float *message, volatile int *flag, float *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *message = 42; // against
        __threadfence();
        *flag = 1;
        return;
    }
    while (*flag == 0)
        __nanosleep(20);
#ifdef MENDED
    __threadfence();
#endif
    *got = *message; // finds: unfenced
}

static void run(void)
{
    pass<<<2, LANES>>>((float *)cells(1), cells(1), (float *)cells(1));
    launched();
}
