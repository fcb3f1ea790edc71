// SPDX-License-Identifier: MIT
// since: 12
/* One group of warps wants more registers, and none gives any back. */
__global__ void __launch_bounds__(256, 2) greedy(int *y)
{
    if (threadIdx.x < 128) {
#ifdef MENDED
        asm volatile("setmaxnreg.dec.sync.aligned.u32 96;");
#endif
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 160;"); // finds: deadlock
    }
    y[threadIdx.x] = 1;
}

static void run(void)
{
    greedy<<<1, 256>>>(cells(256));
    launched();
}
