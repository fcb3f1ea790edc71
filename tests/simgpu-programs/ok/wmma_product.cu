// SPDX-License-Identifier: MIT
/* wmma_product.cu: a matrix product in half with fragments of nvcuda::wmma, each
 * block's tiles staged in shared memory by cuda::pipeline, an epilogue that
 * reads C; and an integer one. */
// arch: 80
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <mma.h>

#include "../check.h"

using namespace nvcuda;

enum { TILE = 16, M = 64, N = 48, K = 80, WARPS = 2 };

__global__ void product(const __half *a, const __half *b, float *c, float beta)
{
    __shared__ alignas(32) __half tile[2][WARPS][2][TILE * TILE];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = (blockIdx.y * WARPS + warp) * TILE, col = blockIdx.x * TILE;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, __half, wmma::row_major>
        x;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, __half, wmma::row_major>
        y;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum, old;
    wmma::fill_fragment(sum, 0);
    auto pipe = cuda::make_pipeline();
    auto load = [&](int k) {
        __half *to = tile[k / TILE % 2][warp][0];
        pipe.producer_acquire();
        for (int i = lane; i < TILE * TILE / 8; i += 32) {
            int r = i / 2, half = i % 2 * 8;
            cuda::memcpy_async(to + r * TILE + half,
                               a + (row + r) * K + k + half,
                               cuda::aligned_size_t<16>(16), pipe);
            cuda::memcpy_async(to + TILE * TILE + r * TILE + half,
                               b + (k + r) * N + col + half,
                               cuda::aligned_size_t<16>(16), pipe);
        }
        pipe.producer_commit();
    };
    load(0);
    for (int k = 0; k < K; k += TILE) {
        if (k + TILE < K)
            load(k + TILE);
        if (k + TILE < K)
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncwarp(); // what the other lanes copied is there
        wmma::load_matrix_sync(x, tile[k / TILE % 2][warp][0], TILE);
        wmma::load_matrix_sync(y, tile[k / TILE % 2][warp][1], TILE);
        wmma::mma_sync(sum, x, y, sum);
        pipe.consumer_release();
        __syncwarp(); // nobody reads the tile any more
    }
    wmma::load_matrix_sync(old, c + row * N + col, N, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] += beta * old.x[i];
    wmma::store_matrix_sync(c + row * N + col, sum, N, wmma::mem_row_major);
}

__global__ void integers(const signed char *a, const signed char *b, int *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::fill_fragment(sum, 1000);
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, b, 16);
    wmma::mma_sync(sum, x, y, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}

int main(void)
{
    __half *a, *b;
    float *c;
    CUDA(cudaMallocManaged(&a, M * K * sizeof *a));
    CUDA(cudaMallocManaged(&b, K * N * sizeof *b));
    CUDA(cudaMallocManaged(&c, M * N * sizeof *c));
    for (int i = 0; i < M * K; i++)
        a[i] = __float2half(i * 7 % 13 - 6);
    for (int i = 0; i < K * N; i++)
        b[i] = __float2half((i * 5 % 9 - 4) / 4.f);
    for (int i = 0; i < M * N; i++)
        c[i] = i % 10;
    product<<<dim3(N / TILE, M / TILE / WARPS), 32 * WARPS>>>(a, b, c, 2);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 2 * ((i * N + j) % 10); // exact in fp32
            for (int k = 0; k < K; k++)
                sum += __half2float(a[i * K + k]) * __half2float(b[k * N + j]);
            CHECK(c[i * N + j] == sum);
        }
    signed char *p, *q;
    int *r;
    CUDA(cudaMallocManaged(&p, 256));
    CUDA(cudaMallocManaged(&q, 256));
    CUDA(cudaMallocManaged(&r, 256 * sizeof *r));
    for (int i = 0; i < 256; i++) {
        p[i] = (signed char)(i * 11);
        q[i] = (signed char)(i * 3 - 100);
    }
    integers<<<1, 32>>>(p, q, r);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            int sum = 1000;
            for (int k = 0; k < 16; k++)
                sum += p[i * 16 + k] * q[j * 16 + k];
            CHECK(r[j * 16 + i] == sum);
        }
    return 0;
}
