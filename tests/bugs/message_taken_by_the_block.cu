// SPDX-License-Identifier: MIT
/* A thread waits for the flag and fences for its block alone; then all threads
 * take the volatile message of another block. */
__global__ void pass(volatile int *message, volatile int *flag, int *got)
{
    if (blockIdx.x == 0) {
        message[threadIdx.x] = (int)threadIdx.x; // against
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
#else
        __threadfence_block();
#endif
    }
    __syncthreads();
    got[threadIdx.x] = message[threadIdx.x]; // finds: unfenced
}

static void run(void)
{
    pass<<<2, THREADS>>>(cells(THREADS), cells(1), cells(THREADS));
    launched();
}
