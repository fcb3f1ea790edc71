// SPDX-License-Identifier: MIT
/* No bug: warps share nothing but a table that a barrier has completed, and each
 * meets by itself. */
__global__ void rows(const int *x, int *y)
{
    __shared__ int weight[LANES], row[THREADS / LANES][LANES];
    int t = threadIdx.x, warp = t / LANES, lane = t % LANES;
    if (warp == 0)
        weight[lane] = lane + 1;
    __syncthreads();
    for (int n = 0; n <= warp; n++) {
        row[warp][lane] = x[n * LANES + lane] * weight[LANES - 1 - lane];
        __syncwarp();
        int sum = 0;
        for (int k = 0; k <= lane; k++)
            sum += row[warp][k];
        y[(warp * (THREADS / LANES) + n) * LANES + lane] = sum;
        __syncwarp();
    }
}

static void run(void)
{
    rows<<<1, THREADS>>>(cells(THREADS), cells(THREADS * THREADS / LANES));
    launched();
}
