// SPDX-License-Identifier: MIT
/* What comes from lanes that have returned is taken and thrown away: by a
 * branch, by a choice, and by a sum that is not kept. */
__global__ void scan(int *y, int *kept, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    int v = i, w = i, last = -1;
    for (int o = 1; o < LANES; o *= 2) {
        int from = __shfl_down_sync(0xffffffffu, v, o);
        v = i + o < n ? v + from : v;
        int other = __shfl_down_sync(0xffffffffu, w, o);
        if (i + o < n)
            w += other;
        last = other + o;
    }
    y[i] = v + w;
    kept[i] = i + LANES / 2 < n ? last : 0;
}

static void run(void)
{
    scan<<<1, LANES>>>(cells(LANES), cells(LANES), 20);
    launched();
}
