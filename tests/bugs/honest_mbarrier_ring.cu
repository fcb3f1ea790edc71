// SPDX-License-Identifier: MIT
/* No bug: one warp brings tiles into a ring by asynchronous copies, another
 * works on them; an mbarrier per stage says when it is full, and one when it is
 * empty. */
enum { STAGES = 3, TILES = 10 };

__global__ void ring(const int *x, int *y)
{
    __shared__ int tile[STAGES][LANES];
    __shared__ object full[STAGES], empty[STAGES];
    int lane = threadIdx.x % LANES;
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            object_init(&full[s], LANES);
            object_init(&empty[s], 1);
        }
    __syncthreads();
    for (int n = 0; n < TILES; n++) {
        int s = n % STAGES, round = n / STAGES;
        if (threadIdx.x < LANES) {
            if (round > 0)
                object_wait(&empty[s], (round - 1) % 2);
            copy_async(&tile[s][lane], &x[n * LANES + lane]);
            copies_arrive(&full[s]);
        } else {
            object_wait(&full[s], round % 2);
            y[n * LANES + lane] = 2 * tile[s][LANES - 1 - lane];
            __syncwarp();
            if (lane == 0)
                object_arrive(&empty[s]);
        }
    }
}

static void run(void)
{
    int *x = cells(TILES * LANES), *y = cells(TILES * LANES);
    int h[TILES * LANES];
    for (int i = 0; i < TILES * LANES; i++)
        h[i] = 3 * i;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    ring<<<1, 2 * LANES>>>(x, y);
    CUDA(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < TILES * LANES; i++)
        CHECK(h[i] == 6 * (i / LANES * LANES + LANES - 1 - i % LANES));
    launched();
}
