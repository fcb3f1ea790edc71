// SPDX-License-Identifier: MIT
/* Every lane shuffles, under a mask that names half of them. */
__global__ void shuffle(int *x)
{
#ifdef MENDED
    unsigned mask = 0xffffffffu;
#else
    unsigned mask = 0x0000ffffu;
#endif
    int lane = threadIdx.x;
    x[lane] = __shfl_xor_sync(mask, lane, 1); // finds: deadlock
}

static void run(void)
{
    shuffle<<<1, LANES>>>(cells(LANES));
    launched();
}
