// SPDX-License-Identifier: MIT
/* Threads beyond the data return before the sum of the warp, which reads their
 * lanes. */
__global__ void sum(int *total, const int *x, int n)
{
    int i = threadIdx.x;
#ifdef MENDED
    int v = i < n ? x[i] : 0;
#else
    if (i >= n)
        return;
    int v = x[i];
#endif
    for (int o = LANES / 2; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffffu, v, o); // finds: shuffle
    if (i == 0)
        *total = v;
}

static void run(void)
{
    sum<<<1, LANES>>>(cells(1), cells(LANES), 20);
    launched();
}
