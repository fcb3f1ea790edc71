// SPDX-License-Identifier: MIT
/* All threads write and fence, and thread 0 raises the flag: before it, they
 * have to meet. */
__global__ void pass(int *message, volatile int *flag, int *got)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        message[t] = t; // against
        __threadfence();
#ifdef MENDED
        __syncthreads();
#endif
        if (t == 0)
            *flag = 1;
        return;
    }
    if (t == 0)
        while (!*flag)
            ;
    __syncthreads();
    __threadfence();
    got[t] = message[THREADS - 1 - t]; // finds: race
}

static void run(void)
{
    pass<<<2, THREADS>>>(cells(THREADS), cells(1), cells(THREADS));
    launched();
}
