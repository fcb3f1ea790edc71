// SPDX-License-Identifier: MIT
/* No bug: blocks improve what their neighbours have until one says that it is
 * enough. Any value of a neighbour will do, and the flag is no message. */
__global__ void relax(volatile float *x, volatile int *stop, int *rounds)
{
    if (threadIdx.x)
        return;
    int me = (int)blockIdx.x, round = 0;
    while (!*stop && round < 100) {
        float left = x[(me + BLOCKS - 1) % BLOCKS];
        float right = x[(me + 1) % BLOCKS];
        x[me] = 0.25f * (left + right) + 1;
        round++;
        if (me == 0 && round == 40)
            *stop = 1;
    }
    rounds[me] = round;
}

static void run(void)
{
    relax<<<BLOCKS, LANES>>>((float *)cells(BLOCKS), cells(1), cells(BLOCKS));
    launched();
}
