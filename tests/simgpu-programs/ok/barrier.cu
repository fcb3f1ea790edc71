// SPDX-License-Identifier: MIT
/* barrier.cu: cuda::barrier in shared memory: rows that cuda::memcpy_async
 * brings, and a hand-over between two halves of a block. */
// arch: 80
#include <cuda/barrier>

#include "../check.h"

#pragma nv_diag_suppress static_var_with_dynamic_init /* init() does it */

enum { WIDTH = 128, ROWS = 6 };
using barrier = cuda::barrier<cuda::thread_scope_block>;

/* y[r][t] = x[r][t] + x[r][WIDTH - 1 - t]. */
__global__ void fold(const int *x, int *y)
{
    __shared__ __align__(16) int tile[WIDTH];
    __shared__ barrier there;
    int t = threadIdx.x;
    if (t == 0)
        init(&there, WIDTH);
    __syncthreads();
    for (int row = 0; row < ROWS; row++) {
        cuda::memcpy_async(&tile[t], &x[row * WIDTH + t], sizeof *x, there);
        there.arrive_and_wait();
        y[row * WIDTH + t] = tile[t] + tile[WIDTH - 1 - t];
        there.arrive_and_wait(); /* nobody reads this row any more */
    }
}

/* The lower half writes, the upper half reads what it wrote. */
__global__ void hand_over(int *y)
{
    __shared__ int tile[WIDTH];
    __shared__ barrier full, empty;
    int t = threadIdx.x;
    bool writes = t < WIDTH;
    if (t == 0) {
        init(&full, 2 * WIDTH);
        init(&empty, 2 * WIDTH);
    }
    __syncthreads();
    for (int row = 0; row < ROWS; row++) {
        if (writes) {
            empty.arrive_and_wait();
            tile[t] = row + t;
            (void)full.arrive();
        } else {
            (void)empty.arrive();
            full.arrive_and_wait();
            y[row * WIDTH + t - WIDTH] = tile[2 * WIDTH - 1 - t];
        }
    }
}

int main()
{
    static int x[ROWS * WIDTH], y[ROWS * WIDTH];
    int *dx, *dy;
    for (int i = 0; i < ROWS * WIDTH; i++)
        x[i] = i * i;
    CUDA(cudaMalloc(&dx, sizeof x));
    CUDA(cudaMalloc(&dy, sizeof y));
    CUDA(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    fold<<<1, WIDTH>>>(dx, dy);
    CUDA(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROWS * WIDTH; i++)
        CHECK(y[i] == x[i] + x[i / WIDTH * WIDTH + WIDTH - 1 - i % WIDTH]);
    hand_over<<<1, 2 * WIDTH>>>(dy);
    CUDA(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROWS * WIDTH; i++)
        CHECK(y[i] == i / WIDTH + WIDTH - 1 - i % WIDTH);
    return 0;
}
