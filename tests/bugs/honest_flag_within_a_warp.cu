// SPDX-License-Identifier: MIT
/* No bug: lanes wait for another lane of their warp, and fence. */
__global__ void pass(int *x, int value)
{
    __shared__ int message;
    __shared__ volatile int flag;
    int lane = threadIdx.x;
    if (lane == 0)
        flag = 0;
    __syncwarp();
    if (lane == 7) {
        message = value;
        __threadfence_block();
        flag = 1;
    } else {
        while (!flag)
            ;
        __threadfence_block();
        x[lane] = message;
    }
}

static void run(void)
{
    pass<<<1, LANES>>>(cells(LANES), 42);
    launched();
}
