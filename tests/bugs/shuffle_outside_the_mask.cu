// SPDX-License-Identifier: MIT
/* The lower half asks lane 16, which the mask does not name and which is
 * elsewhere. */
__global__ void broadcast(int *x)
{
    int lane = threadIdx.x, got = 0;
#ifdef MENDED
    enum { GIVER = 15 };
#else
    enum { GIVER = 16 };
#endif
    if (lane < 16)
        got = __shfl_sync(0x0000ffffu, lane, GIVER); // finds: shuffle
    x[lane] = got;
}

static void run(void)
{
    broadcast<<<1, LANES>>>(cells(LANES));
    launched();
}
