// SPDX-License-Identifier: MIT
/* One lane waits for another block's flag, and fences. The others of its warp
 * do not wait for that lane: they may be ahead of it. */
__global__ void pass(int *message, volatile int *flag, int *got)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        message[t] = t; // against
        __threadfence();
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else {
        if (t == 0) {
            while (!*flag)
                ;
            __threadfence();
        }
#ifdef MENDED
        __syncwarp();
#endif
        got[t] = message[t]; // finds: race
    }
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(LANES), cells(1), cells(LANES));
    launched();
}
