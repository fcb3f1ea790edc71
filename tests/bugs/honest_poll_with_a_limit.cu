// SPDX-License-Identifier: MIT
/* No bug: lanes of a warp wait for one of them by volatile reads, some of which
 * give up after many; and what they read meanwhile is counted. */
__global__ void wait(int *y, int tries)
{
    __shared__ int word;
    volatile int *flag = &word;
    int lane = threadIdx.x, n = 0, seen = 0;
    *flag = 0;
    __syncwarp();
    if (lane == 0)
        *flag = 7;
    else if (lane < 16)
        while (!seen && n < tries) {
            seen = *flag;
            n++;
        }
    else
        while (!*flag)
            n++;
    y[lane] = lane < 16 ? n > 0 : n >= 0;
}

static void run(void)
{
    wait<<<1, LANES>>>(cells(LANES), 1000);
    launched();
}
