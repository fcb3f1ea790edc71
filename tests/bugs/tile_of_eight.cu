// SPDX-License-Identifier: MIT
/* Tiles of 8 lanes synchronise, and read the next tile's cells. */
__global__ void turn(int *x)
{
    namespace cg = cooperative_groups;
    __shared__ int s[LANES];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, next = t / 8 * 8 + (t + 1) % 8;
    s[t] = t; // against
    tile.sync();
#ifndef MENDED
    next = (t + 1) % LANES;
#endif
    x[t] = s[next]; // finds: race
}

static void run(void)
{
    turn<<<1, LANES>>>(cells(LANES));
    launched();
}
