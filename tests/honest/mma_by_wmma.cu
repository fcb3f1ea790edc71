// SPDX-License-Identifier: MIT
// honest: the compiler's own matrix functions, a warp per 16 x 16, and no ring
// chapter: 16 fragments
// expect: SLOW PREDICTED to take 4
#include <mma.h>

#include "op/gemm.h"

using namespace nvcuda;

enum {
    SIDE = 16, DEPTH = 8, LANES = 32,
    A_PITCH = DEPTH + 4, B_PITCH = SIDE + 8 // four rows, four times 8 banks
};

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ __align__(32) float a[SIDE][A_PITCH], b[DEPTH][B_PITCH];
    __shared__ __align__(32) float c[SIDE][SIDE];
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, DEPTH, wmma::precision::tf32,
                   wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, DEPTH, wmma::precision::tf32,
                   wmma::row_major> columns;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, DEPTH, float> sums;
    int across = (s.N - 1) / SIDE + 1;
    int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;

    wmma::fill_fragment(sums, 0.0f);
    for (int first = 0; first < s.K; first += DEPTH) {
        for (int i = threadIdx.x; i < SIDE * DEPTH; i += LANES) {
            int m = i / DEPTH, k = i % DEPTH, n = i % SIDE, l = i / SIDE;
            bool in_a = row0 + m < s.M && first + k < s.K;
            bool in_b = first + l < s.K && col0 + n < s.N;

            a[m][k] = wmma::__float_to_tf32(
                in_a ? A[(size_t)(row0 + m) * s.lda + first + k] : 0.0f);
            b[l][n] = wmma::__float_to_tf32(
                in_b ? B[(size_t)(first + l) * s.ldb + col0 + n] : 0.0f);
        }
        __syncthreads(); // both tiles are there
        wmma::load_matrix_sync(rows, &a[0][0], A_PITCH);
        wmma::load_matrix_sync(columns, &b[0][0], B_PITCH);
        wmma::mma_sync(sums, rows, columns, sums);
        __syncthreads(); // both have been read
    }
    wmma::store_matrix_sync(&c[0][0], sums, SIDE, wmma::mem_row_major);
    __syncthreads(); // the sums are there
    for (int i = threadIdx.x; i < SIDE * SIDE; i += LANES) {
        int row = row0 + i / SIDE, col = col0 + i % SIDE;
        float *to = C + (size_t)row * s.ldc + col;

        if (row < s.M && col < s.N)
            *to = beta == 0.0f ? alpha * c[i / SIDE][i % SIDE]
                               : alpha * c[i / SIDE][i % SIDE] + beta * *to;
    }
}

size_t gemm_tf32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                      struct gemm_shape shape, float alpha, float beta,
                      void *workspace, cudaStream_t stream)
{
    unsigned across = (shape.N - 1) / SIDE + 1;
    unsigned down = (shape.M - 1) / SIDE + 1;

    (void)workspace; // none was asked for
    gemm<<<across * down, LANES, 0, stream>>>(A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
