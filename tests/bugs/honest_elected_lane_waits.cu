// SPDX-License-Identifier: MIT
// since: 12
/* No bug: one lane of a warp fills the stages of a ring and waits for them to be
 * empty, while the lanes of another warp all wait for full ones; and at the end
 * one lane waits for its warp, which meets behind it. */
enum { STAGES = 2, TILES = 6 };

__global__ void ring(const int *x, int *y)
{
    __shared__ alignas(128) int tile[STAGES][LANES];
    __shared__ object full[STAGES], empty[STAGES], over;
    int t = threadIdx.x, lane = t % LANES, sum = 0;
    if (t == 0) {
        for (int s = 0; s < STAGES; s++) {
            object_init(&full[s], 1);
            object_init(&empty[s], 1);
        }
        object_init(&over, LANES);
        object_fence();
    }
    __syncthreads();
    if (t == 0)
        for (int n = 0; n < TILES; n++) {
            int s = n % STAGES;
            if (n >= STAGES)
                object_wait(&empty[s], (n / STAGES - 1) % 2);
            object_expects(&full[s], sizeof tile[s]);
            bulk_in(tile[s], x + n * LANES, sizeof tile[s], &full[s]);
        }
    if (t >= LANES) {
        for (int n = 0; n < TILES; n++) {
            int s = n % STAGES;
            object_wait(&full[s], n / STAGES % 2);
            sum += tile[s][LANES - 1 - lane];
            __syncwarp();
            if (lane == 0)
                object_arrive(&empty[s]);
        }
        y[lane] = sum;
        object_arrive(&over);
    } else {
        if (lane == 7)
            object_wait(&over, 0);
        __syncwarp();
        y[LANES + lane] = y[LANES - 1 - lane];
    }
}

static void run(void)
{
    int h[2 * LANES], *y = cells(2 * LANES), *x = pinned(TILES * LANES);
    ring<<<1, 2 * LANES>>>(x, y);
    CUDA(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < LANES; i++) {
        int sum = TILES * (LANES - 1 - i) + LANES * TILES * (TILES - 1) / 2;
        CHECK(h[i] == sum && h[2 * LANES - 1 - i] == sum);
    }
    launched();
}
