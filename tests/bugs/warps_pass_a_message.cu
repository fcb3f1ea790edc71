// SPDX-License-Identifier: MIT
/* One warp writes and sets a flag; another of the block waits for it. */
__global__ void pass(int *got)
{
    __shared__ int message;
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        message = got[1]; // against
#ifdef MENDED
        __threadfence_block();
#endif
        flag = 1;
    } else if (threadIdx.x == LANES) {
        while (!flag)
            ;
        __threadfence_block();
        *got = message; // finds: race
    }
}

static void run(void)
{
    pass<<<1, 2 * LANES>>>(cells(2));
    launched();
}
