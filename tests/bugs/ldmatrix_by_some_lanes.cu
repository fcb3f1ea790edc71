// SPDX-License-Identifier: MIT
/* Only the lanes that give a row's address come to the load; it wants all lanes
 * of the warp, whose addresses it may ignore. */
__global__ void turns(unsigned *y)
{
    __shared__ unsigned short tile[8][8];
    unsigned lane = threadIdx.x, d = 0;
    tile[lane / 4][2 * (lane % 4)] = tile[lane / 4][2 * (lane % 4) + 1] = lane;
    __syncwarp();
    unsigned row = in_shared(tile[lane % 8]);
#ifndef MENDED
    if (lane < 8)
#endif
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(row)); // finds: deadlock
    y[lane] = d;
}

static void run(void)
{
    turns<<<1, LANES>>>((unsigned *)cells(LANES));
    launched();
}
