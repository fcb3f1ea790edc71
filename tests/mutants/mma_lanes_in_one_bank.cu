// SPDX-License-Identifier: MIT
// mutant: rows 132 floats apart, where 136 put four of them in different banks
// chapter: 16 fragments
// expect: TECHNIQUE shared_load_conflicts_per_request .* MISSED
// shape: M256 N256 K128
#include "../tests/mutants/mma_whole_tiles.cuh"

enum { BK = 8, PITCH = SIDE + 4 };

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta)
{
    __shared__ __align__(16) float a_tile[BK][PITCH], b_tile[BK][PITCH];
    struct place p = place_of(s);
    int w_row = p.row0 % SIDE + p.quad, w_col = p.col0 % SIDE + p.quad;
    int n = threadIdx.x % 32 * 4, over = threadIdx.x / 32;
    float sum[4][8][4] = {{{0.0f}}};

    A += (size_t)(p.row0 / SIDE * SIDE) * s.lda + threadIdx.x % BK;
    B += p.col0 / SIDE * SIDE + n;
    for (int first = 0; first < s.K; first += BK) {
        for (int m = threadIdx.x / BK; m < SIDE; m += THREADS / BK)
            __pipeline_memcpy_async(&a_tile[threadIdx.x % BK][m],
                                    A + (size_t)m * s.lda + first, 4);
        for (int k = over; k < BK; k += THREADS / 32)
            __pipeline_memcpy_async(&b_tile[k][n],
                                    B + (size_t)(first + k) * s.ldb, 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads(); // the tiles are there
#pragma unroll
        for (int m = 0; m < 4; m++) {
            unsigned a[4];

            for (int e = 0; e < 4; e++)
                a[e] = to_tf32(a_tile[p.at + e / 2 * 4]
                                     [w_row + 16 * m + e % 2 * 8]);
#pragma unroll
            for (int t = 0; t < 8; t++) {
                unsigned b[2] = {to_tf32(b_tile[p.at][w_col + 8 * t]),
                                 to_tf32(b_tile[p.at + 4][w_col + 8 * t])};

                mma_tf32(sum[m][t], a, b);
            }
        }
        __syncthreads(); // all have read them
    }
    for (int m = 0; m < 4; m++)
        for (int t = 0; t < 8; t++)
            for (int e = 0; e < 4; e++) {
                int row = p.row0 + 16 * m + p.quad + e / 2 * 8;
                int col = p.col0 + 8 * t + 2 * p.at + e % 2;

                finish(C + (size_t)row * s.ldc + col, sum[m][t][e], alpha,
                       beta);
            }
}
