// SPDX-License-Identifier: MIT
/* All threads of a block leave something in volatile memory and meet; the one
 * that raises the flag has not fenced. */
__global__ void pass(volatile int *message, int *flag, int *got)
{
    if (blockIdx.x == 0) {
        message[threadIdx.x] = (int)threadIdx.x; // against
        __syncthreads();
        if (threadIdx.x)
            return;
#ifdef MENDED
        __threadfence();
#endif
        atomicExch(flag, 1);
        return;
    }
    if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0)
            ;
    __threadfence();
    __syncthreads();
    got[threadIdx.x] = message[THREADS - 1 - threadIdx.x]; // finds: unfenced
}

static void run(void)
{
    pass<<<2, THREADS>>>(cells(THREADS), cells(1), cells(THREADS));
    launched();
}
