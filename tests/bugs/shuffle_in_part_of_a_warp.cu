// SPDX-License-Identifier: MIT
/* A block of 48 threads: half of its second warp is not there. */
__global__ void sums(int *y, const int *x, int width)
{
    int t = threadIdx.x, v = x[t];
    for (int o = width / 2; o > 0; o /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, o); // finds: shuffle
    y[t] = v;
}

static void run(void)
{
    enum { ODD = 48 };
#ifdef MENDED
    sums<<<1, ODD>>>(cells(ODD), cells(ODD), ODD - LANES);
#else
    sums<<<1, ODD>>>(cells(ODD), cells(ODD), LANES);
#endif
    launched();
}
