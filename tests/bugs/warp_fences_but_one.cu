// SPDX-License-Identifier: MIT
/* All lanes of a warp fence what they wrote and meet, and then one of them
 * raises the flag. The one that does not fence leaves its word behind. */
__global__ void pass(int *message, volatile int *more, volatile int *flag,
                     int *got)
{
    int lane = (int)threadIdx.x;
    if (blockIdx.x == 0) {
        message[lane] = lane; // against
        more[lane] = -lane;   // against
#ifndef MENDED
        if (lane != 5)
#endif
            __threadfence();
        __syncwarp();
        if (lane == 0)
            *flag = 1;
        return;
    }
    if (lane == 0)
        while (!*flag)
            ;
    __threadfence();
    __syncwarp();
    int sum = message[lane ^ 1]; // finds: race
    sum += more[lane];           // finds: unfenced
    got[lane] = sum;
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(LANES), cells(LANES), cells(1), cells(LANES));
    launched();
}
