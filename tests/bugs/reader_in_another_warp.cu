// SPDX-License-Identifier: MIT
/* Warps of one block, a flag in shared memory: the reader needs a fence. */
__global__ void pass(int *got, int value)
{
    __shared__ int message;
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        message = value; // against
        __threadfence_block();
        flag = 1;
    } else if (threadIdx.x == LANES) {
        while (!flag)
            ;
#ifdef MENDED
        __threadfence_block();
#endif
        *got = message; // finds: race
    }
}

static void run(void)
{
    pass<<<1, THREADS>>>(cells(1), 42);
    launched();
}
