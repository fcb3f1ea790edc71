// SPDX-License-Identifier: MIT
// since: 12
/* One warp of four gives registers back: setmaxnreg is for a warpgroup. */
__global__ void __launch_bounds__(256, 1) gives(int *y)
{
    int warp = threadIdx.x / LANES;
#ifdef MENDED
    if (warp < 4)
#else
    if (warp == 0)
#endif
        asm volatile("setmaxnreg.dec.sync.aligned.u32 96;"); // finds: barrier_misuse
    y[threadIdx.x] = warp;
}

static void run(void)
{
    gives<<<1, 256>>>(cells(256));
    launched();
}
