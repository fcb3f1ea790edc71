// SPDX-License-Identifier: MIT
/* Blocks take turns. The first lane acquires what the block before it wrote;
 * the others learn by a shuffle that it is their turn, and a shuffle orders no
 * memory. */
__global__ void turns(int *row, int *turn)
{
    int lane = threadIdx.x, mine = (int)blockIdx.x, now = -1;
    while (now != mine) {
        if (lane == 0)
            asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                         : "=r"(now) : "l"(turn) : "memory");
        now = __shfl_sync(0xffffffffu, now, 0);
    }
#ifdef MENDED
    __syncwarp();
#endif
    row[LANES - 1 - lane] += 1; // finds: race
    __syncwarp();
    if (lane == 0)
        asm volatile("st.release.gpu.u32 [%0], %1;"
                     :: "l"(turn), "r"(mine + 1) : "memory");
}

static void run(void)
{
    int h[LANES], *row = cells(LANES);
    turns<<<4, LANES>>>(row, cells(1));
    CUDA(cudaMemcpy(h, row, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < LANES; i++)
        CHECK(h[i] == 4);
    launched();
}
