// SPDX-License-Identifier: MIT
/* Thread 0 waits for another block; a barrier hands that on to its own block,
 * but is no fence for what the other block wrote. */
__global__ void pass(int *message, volatile int *flag, int *got)
{
    if (blockIdx.x == 0) {
        message[threadIdx.x] = 42; // against
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
        return;
    }
    if (threadIdx.x == 0) {
        while (!*flag)
            ;
#ifdef MENDED
        __threadfence();
#endif
    }
    __syncthreads();
    got[threadIdx.x] = message[threadIdx.x]; // finds: race
}

static void run(void)
{
    pass<<<2, THREADS>>>(cells(THREADS), cells(1), cells(THREADS));
    launched();
}
