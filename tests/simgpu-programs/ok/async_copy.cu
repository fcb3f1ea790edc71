// SPDX-License-Identifier: MIT
/* async_copy.cu: a stencil over rows that come by asynchronous copies, the
 * next row on its way while this one is worked on. */
// arch: 80
#include <cuda_pipeline.h>

#include "../check.h"

enum { WIDTH = 128, ROWS = 10, QUADS = WIDTH / 4 };

static __device__ void fetch(float *tile, const float *row)
{
    if (threadIdx.x < QUADS)
        __pipeline_memcpy_async(&tile[4 * threadIdx.x], &row[4 * threadIdx.x],
                                4 * sizeof *tile);
    __pipeline_commit();
}

/* y[r][t] = x[r][t - 1] + x[r][t + 1], around the end. */
__global__ void stencil(const float *x, float *y)
{
    __shared__ __align__(16) float tile[2][WIDTH];
    int t = threadIdx.x;
    fetch(tile[0], x);
    for (int row = 0; row < ROWS; row++) {
        if (row + 1 < ROWS)
            fetch(tile[(row + 1) % 2], x + (row + 1) * WIDTH);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const float *now = tile[row % 2];
        y[row * WIDTH + t] =
            now[(t + WIDTH - 1) % WIDTH] + now[(t + 1) % WIDTH];
        __syncthreads();
    }
}

int main(void)
{
    enum { N = ROWS * WIDTH };
    static float x[N], y[N];
    float *dx, *dy;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * i % 1009);
    CUDA(cudaMalloc(&dx, sizeof x));
    CUDA(cudaMalloc(&dy, sizeof y));
    CUDA(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    stencil<<<1, WIDTH>>>(dx, dy);
    CUDA(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    for (int row = 0; row < ROWS; row++)
        for (int t = 0; t < WIDTH; t++)
            CHECK(y[row * WIDTH + t] ==
                  x[row * WIDTH + (t + WIDTH - 1) % WIDTH] +
                      x[row * WIDTH + (t + 1) % WIDTH]);
    CUDA(cudaFree(dx));
    CUDA(cudaFree(dy));
    return 0;
}
