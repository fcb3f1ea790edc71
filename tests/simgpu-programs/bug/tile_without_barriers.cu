// SPDX-License-Identifier: MIT
/* tile_without_barriers.cu: tiles in shared memory without their barriers.
 * Nearly every access meets another thread's, or reads what nobody has written.
 * Such hits are counted, exactly, and take at most three times as long as the
 * kernels that have their barriers. */
// alone: another program includes device_time.h, too
// says: : 8 findings
// says: race in columns<false>, block (0,0,0), 13221888 times in 24 launches
// says: race in columns<false>, block (0,0,0), 13369344 times in 24 launches
// says: uninitialised in columns<false>, block (0,0,0), 11010048 times in 24
// says: race in product<false>, block (0,0,0), 48758784 times in 24 launches
// says: race in product<false>, block (0,0,0), 24379392 times in 24 launches
// says: uninitialised in product<false>, block (0,0,0), 24379392 times in 24
#include "../check.h"
#include "../device_time.h"

enum { T = 32, ROWS = 8, N = 512, BLOCKS = 2, TIMES = 12, HALVES = 2 };

template <bool RIGHT> __global__ void columns(const float *x, float *y)
{
    __shared__ float tile[T][T + 1];
    float sum = 0;
    for (int k = 0; k < N / T; k++) {
        for (int r = threadIdx.y; r < T; r += ROWS)
            tile[r][threadIdx.x] =
                x[(blockIdx.y * T + r) * N + k * T + threadIdx.x];
        if (RIGHT)
            __syncthreads();
        for (int j = threadIdx.y; j < T; j += ROWS)
            sum += tile[threadIdx.x][j]; // finds: race
        if (RIGHT)
            __syncthreads();
    }
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    y[(block * ROWS + threadIdx.y) * T + threadIdx.x] = sum;
}

template <bool RIGHT>
__global__ void product(const float *a, const float *b, float *c)
{
    __shared__ float x[T][T], y[T][T];
    float sum = 0;
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    for (int k = 0; k < N / T; k++) {
        x[threadIdx.y][threadIdx.x] = a[row * N + k * T + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(k * T + threadIdx.y) * N + col];
        if (RIGHT)
            __syncthreads();
        for (int j = 0; j < T; j++)
            sum += x[threadIdx.y][j] * y[j][threadIdx.x]; // finds: race
        if (RIGHT)
            __syncthreads();
    }
    c[row * N + col] = sum;
}

/* What the launch takes of the machine's processors comes on top. */
template <typename F> static void add(double *seconds, F launch)
{
    double start = device_seconds();
    launch();
    CUDA(cudaDeviceSynchronize());
    *seconds += device_seconds() - start;
}

int main(void)
{
    float *a, *b, *c;
    bool quick[2] = {false}; /* in one half: other work slows a half at times */
    CUDA(cudaFree(NULL)); /* the device begins */
    CUDA(cudaMalloc(&a, N * N * sizeof *a));
    CUDA(cudaMalloc(&b, N * N * sizeof *b));
    CUDA(cudaMalloc(&c, N * N * sizeof *c));
    CUDA(cudaMemset(a, 1, N * N * sizeof *a));
    CUDA(cudaMemset(b, 1, N * N * sizeof *b));
    dim3 tiles(8, 8), rows(T, ROWS), few(BLOCKS, BLOCKS), square(T, T);
    for (int half = 0; half < HALVES; half++) {
        double tile[2] = {0}, gemm[2] = {0};
        for (int n = 0; n < TIMES; n++) {
            add(&tile[0], [&] { columns<true><<<tiles, rows>>>(a, c); });
            add(&tile[1], [&] { columns<false><<<tiles, rows>>>(a, c); });
            add(&gemm[0], [&] { product<true><<<few, square>>>(a, b, c); });
            add(&gemm[1], [&] { product<false><<<few, square>>>(a, b, c); });
        }
        printf("columns: %.3f s with hits, %.3f s without\n", tile[1], tile[0]);
        printf("product: %.3f s with hits, %.3f s without\n", gemm[1], gemm[0]);
        quick[0] |= tile[1] <= 3 * tile[0];
        quick[1] |= gemm[1] <= 3 * gemm[0];
    }
    CHECK(quick[0]);
    CHECK(quick[1]);
    return 0;
}
