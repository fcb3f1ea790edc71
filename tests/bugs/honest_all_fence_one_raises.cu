// SPDX-License-Identifier: MIT
/* No bug: every thread fences, then they meet, and thread 0 raises the flag for
 * all; the reader's thread 0 fences for its block. */
__global__ void pass(int *message, volatile int *flag, int *got)
{
    if (blockIdx.x == 0) {
        message[threadIdx.x] = 42;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
        return;
    }
    if (threadIdx.x == 0) {
        while (!*flag)
            ;
        __threadfence();
    }
    __syncthreads();
    got[threadIdx.x] = message[THREADS - 1 - threadIdx.x];
}

static void run(void)
{
    pass<<<2, THREADS>>>(cells(THREADS), cells(1), cells(THREADS));
    launched();
}
