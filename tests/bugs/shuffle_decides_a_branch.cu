// SPDX-License-Identifier: MIT
/* Is this element smaller than its neighbour's? The last thread has none, and
 * the lane that it asks has returned. */
__global__ void rises(int *x, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    int next = __shfl_down_sync(0xffffffffu, 2 * i, 1); // finds: shuffle
#ifdef MENDED
    if (i + 1 < n && next > 2 * i)
#else
    if (next > 2 * i)
#endif
        atomicAdd(&x[0], 1);
}

static void run(void)
{
    rises<<<1, LANES>>>(cells(1), 20);
    launched();
}
