// SPDX-License-Identifier: MIT
/* No bug: volatile data is read before the flag, or both before and after, or
 * was written after the flag: the flag says nothing of it. */
__global__ void look(volatile int *flag, volatile int *done, volatile int *x,
                     int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        x[0] = 1;
        flag[0] = 1;
        while (*done < 1)
            ;
        flag[1] = 1;
        x[1] = 2;
        return;
    }
    int early = x[0];
    while (!early)
        early = x[0];
    *done = 1;
    while (!flag[1])
        ;
    got[0] = early + x[0];
    got[1] = x[1];
}

static void run(void)
{
    look<<<2, LANES>>>(cells(2), cells(1), cells(2), cells(2));
    launched();
}
