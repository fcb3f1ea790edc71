// SPDX-License-Identifier: MIT
// honest: the compiler's matrix functions, 64 x 32 per warp, C through a tile
// chapter: 16 fragments
// expect: PASS
#include <mma.h>
#include "op/gemm.h"

using namespace nvcuda;
enum { BM = 128, BN = 128, BK = 16, THREADS = 256, AP = BK + 4, BP = BN + 8 };

static __global__ void __launch_bounds__(THREADS, 2)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta)
{
    __shared__ __align__(128) float a_tile[BM][AP], b_tile[BK][BP];
    __shared__ __align__(128) float out[8][16][20];
    int across = (s.N - 1) / BN + 1;
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int w_row = warp / 4 * 64, w_col = warp % 4 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum[4][2];

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int first = 0; first < s.K; first += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = i / BK, k = i % BK;
            const float *from = A + (size_t)(row0 + m) * s.lda + first + k;

            a_tile[m][k] = row0 + m < s.M && first + k < s.K
                               ? wmma::__float_to_tf32(*from)
                               : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = i / BN, n = i % BN;
            const float *from = B + (size_t)(first + k) * s.ldb + col0 + n;

            b_tile[k][n] = first + k < s.K && col0 + n < s.N
                               ? wmma::__float_to_tf32(*from)
                               : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; k += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32,
                           wmma::row_major> a[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32,
                           wmma::row_major> b[2];

            for (int i = 0; i < 4; i++)
                wmma::load_matrix_sync(a[i], &a_tile[w_row + i * 16][k], AP);
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(b[j], &b_tile[k][w_col + j * 16], BP);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            wmma::store_matrix_sync(&out[warp][0][0], sum[i][j], 20,
                                    wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 256; e += 32) {
                int row = row0 + w_row + i * 16 + e / 16;
                int col = col0 + w_col + j * 16 + e % 16;

                if (row < s.M && col < s.N) {
                    float *c = C + (size_t)row * s.ldc + col;
                    float v = alpha * out[warp][e / 16][e % 16];
                    *c = beta == 0.0f ? v : v + beta * *c;
                }
            }
            __syncwarp();
        }
}

size_t gemm_tf32_workspace(struct gemm_shape) { return 0; }

cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                      struct gemm_shape shape, float alpha, float beta, void *,
                      cudaStream_t stream)
{
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;

    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
