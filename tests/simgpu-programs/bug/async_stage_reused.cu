// SPDX-License-Identifier: MIT
/* async_stage_reused.cu: two stages, but no barrier before the next copy goes
 * into the one that other threads may still read. */
// arch: 80
// says: of tile (1024 bytes)
#include <cuda_pipeline.h>

#include "../check.h"

enum { WIDTH = 128, ROWS = 6 };

__global__ void turn(const int *x, int *y)
{
    __shared__ int tile[2][WIDTH];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof *x);
    __pipeline_commit();
    for (int row = 0; row < ROWS; row++) {
        if (row + 1 < ROWS)
            __pipeline_memcpy_async( // finds: race
                &tile[(row + 1) % 2][t], &x[(row + 1) * WIDTH + t], sizeof *x);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        y[row * WIDTH + t] = tile[row % 2][WIDTH - 1 - t];
    }
}

int main(void)
{
    int *x, *y;
    size_t bytes = ROWS * WIDTH * sizeof *x;
    CUDA(cudaMalloc(&x, bytes));
    CUDA(cudaMalloc(&y, bytes));
    CUDA(cudaMemset(x, 0, bytes));
    turn<<<1, WIDTH>>>(x, y);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(x));
    CUDA(cudaFree(y));
    return 0;
}
