// SPDX-License-Identifier: MIT
/* A thread waits for its own copies, which says nothing of its neighbour's. */
__global__ void stencil(const int *x, int *y)
{
    __shared__ alignas(16) int tile[4 * LANES];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16); // against
    __pipeline_commit();
    __pipeline_wait_prior(0);
#ifdef MENDED
    __syncwarp();
#endif
    for (int k = 0; k < 4; k++)
        y[4 * t + k] = tile[4 * t + k] + tile[(4 * t + k + 1) % (4 * LANES)]; // finds: race
}

static void run(void)
{
    stencil<<<1, LANES>>>(cells(4 * LANES), cells(4 * LANES));
    launched();
}
