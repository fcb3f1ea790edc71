// SPDX-License-Identifier: MIT
/* No bug: volatile data that changes hands at a barrier of all blocks, again
 * and again; one by hand, and the one of cooperative groups. */
__device__ void meet(int *arrived, int goal)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*(volatile int *)arrived < goal)
            ;
        __threadfence();
    }
    __syncthreads();
}

__global__ void shift(volatile int *x, volatile int *y, int *arrived)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int n = 1; n <= 3; n++) {
        y[i] = x[i] + 1;
        meet(arrived, n * BLOCKS);
        x[i] = y[(i + THREADS) % N];
        grid.sync();
    }
}

static void run(void)
{
    int h[N], *x = cells(N), *y = cells(N), *arrived = cells(1);
    void *given[] = {&x, &y, &arrived};
    CUDA(cudaLaunchCooperativeKernel((void *)shift, dim3(BLOCKS),
                                     dim3(THREADS), given, 0, 0));
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 3);
    launched();
}
