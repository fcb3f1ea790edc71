// SPDX-License-Identifier: MIT
/* No bug: what is read by volatile loads after a flag is checked afterwards: by
 * a compare-and-swap, by comparing, or by reading until it has changed. */
__global__ void guess(volatile int *flag, int *most, volatile int *first,
                      volatile int *later, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        atomicMax(most, 10);
        *first = 1;
        *later = 7;
        *flag = 1;
        return;
    }
    int before = *first;
    while (!*flag)
        ;
    int mine = 5 + (int)blockIdx.x;
    if (*(volatile int *)most < mine)
        atomicMax(most, mine);
    int old = *(volatile int *)most, assumed;
    do {
        assumed = old;
        old = atomicCAS(most, assumed, assumed + 1);
    } while (old != assumed);
    while (*later != 7)
        ;
    got[3 * blockIdx.x] = *later;
    if (*first != before)
        got[3 * blockIdx.x + 1] = 1;
}

static void run(void)
{
    guess<<<BLOCKS, LANES>>>(cells(1), cells(1), cells(1), cells(1),
                             cells(3 * BLOCKS));
    launched();
}
