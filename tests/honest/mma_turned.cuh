// SPDX-License-Identifier: MIT
/*
 * mma_turned.cuh: a matrix product that tensor cores compute as C' = B' A',
 * where ' is a matrix turned over: the columns of B are the instruction's rows.
 * Kernels of chapter 16, in tf32 and in bf16, are made of it. They define
 * `element`, MULTIPLY (the instruction, of MMA_K values of k), SIDE and WIDTH
 * (below), column() and columns(), which loads its rows.
 *
 *   gemm, launch
 */
#ifndef MMA_TURNED_CUH
#define MMA_TURNED_CUH

#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"
#include "op/gemm_tensor.cuh"

enum {
    // SIDE: rows and columns of C per block; a warp has 64 x WIDTH
    LANES = 32,
    ACROSS = SIDE / WIDTH, // warps beside each other
    THREADS = SIDE / 64 * ACROSS * LANES,
    CHUNK = 16 / sizeof(element),
    BK = 128 / sizeof(element),
    MMA_K = 32 / sizeof(element),
    A_PITCH = BK + CHUNK, // 8 rows, a chunk of each: 32 banks
    B_PITCH = SIDE + 8,   // likewise; and 8 columns of 4 rows of 4-byte words
    STAGES = 3
};

struct pair {
    element a[SIDE][A_PITCH], b[BK][B_PITCH];
};

// Which of 16 columns is the instruction's row quad + 8 half.
static __device__ int column(int quad, int half);

// 16 columns of B, as the rows of the instruction, for MMA_K values of k.
static __device__ void columns(unsigned *four, const struct pair *pair, int k,
                               int col);

static __device__ void copy(element *to, const element *from, int count,
                            bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, 16, count > 0 ? 0 : 16);
    else
        for (int e = 0; e < CHUNK; e++)
            to[e] = e < count ? from[e] : (element)0.0f;
}

static __device__ void stage(struct pair *to, const element *A,
                             const element *B, struct gemm_shape s, int row0,
                             int col0, int first, bool wide)
{
    const int a_rows = THREADS * CHUNK / BK, b_rows = THREADS * CHUNK / SIDE;
    int a_m = threadIdx.x * CHUNK / BK, a_k = threadIdx.x * CHUNK % BK;
    int b_k = threadIdx.x * CHUNK / SIDE, n = threadIdx.x * CHUNK % SIDE;
    const element *a = A + (size_t)(row0 + a_m) * s.lda + first + a_k;
    const element *b = B + (size_t)(first + b_k) * s.ldb + col0 + n;

#pragma unroll
    for (int m = 0; m < SIDE; m += a_rows) {
        copy(&to->a[a_m + m][a_k], a,
             row0 + a_m + m < s.M ? s.K - first - a_k : 0, wide);
        a += (size_t)a_rows * s.lda;
    }
#pragma unroll
    for (int k = 0; k < BK; k += b_rows) {
        copy(&to->b[b_k + k][n], b, first + b_k + k < s.K ? s.N - col0 - n : 0,
             wide);
        b += (size_t)b_rows * s.ldb;
    }
}

static __device__ void multiply(float (*sum)[8][4], const struct pair *pair,
                                int w_row, int w_col)
{
    int lane = threadIdx.x % LANES;

#pragma unroll
    for (int k = 0; k < BK; k += MMA_K) {
        unsigned rows[4][4], cols[WIDTH / 16][4];

#pragma unroll
        for (int i = 0; i < 4; i++) {
            int m = w_row + i * 16 + lane / 16 * 8 + lane % 8;

            load_matrices(rows[i], &pair->a[m][k + lane / 8 % 2 * CHUNK]);
        }
#pragma unroll
        for (int i = 0; i < WIDTH / 16; i++)
            columns(cols[i], pair, k, w_col + i * 16);
#pragma unroll
        for (int i = 0; i < WIDTH / 16; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                MULTIPLY(sum[i][j], cols[i], rows[j / 2] + j % 2 * 2);
    }
}

static __global__ void __launch_bounds__(THREADS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(16) unsigned char raw[];
    struct pair *pair = (struct pair *)raw;

    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / BK + 1;
    int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int w_row = warp / ACROSS * 64, w_col = warp % ACROSS * WIDTH;
    float sum[WIDTH / 16][8][4] = {{{0.0f}}};

    for (int i = 0; i < STAGES - 1; i++) {
        if (i < steps)
            stage(&pair[i], A, B, s, row0, col0, i * BK, wide);
        __pipeline_commit();
    }
    for (int step = 0; step < steps; step++) {
        int ahead = step + STAGES - 1;

        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // this pair is there, and the one before was read
        if (ahead < steps)
            stage(&pair[ahead % STAGES], A, B, s, row0, col0, ahead * BK, wide);
        __pipeline_commit(); // it may be empty
        multiply(sum, &pair[step % STAGES], w_row, w_col);
    }
#pragma unroll
    for (int i = 0; i < WIDTH / 16; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int n = col0 + w_col + i * 16 + column(lane / 4, e / 2);
                int m = row0 + w_row + j * 8 + lane % 4 * 2 + e % 2;
                element *c = C + (size_t)m * s.ldc + n;

                if (m < s.M && n < s.N)
                    *c = alpha * sum[i][j][e] +
                         (beta != 0.0f ? beta * (float)*c : 0.0f);
            }
}

static cudaError_t launch(const element *A, const element *B, element *C,
                          struct gemm_shape s, float alpha, float beta,
                          cudaStream_t stream)
{
    unsigned across = (s.N - 1) / SIDE + 1, down = (s.M - 1) / SIDE + 1;
    size_t bytes = (size_t)A | (size_t)B;
    int extents = s.K | s.N | s.lda | s.ldb;
    bool wide = bytes % 16 == 0 && extents % CHUNK == 0;
    int on_chip = STAGES * sizeof(struct pair);

    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    gemm<<<across * down, THREADS, on_chip, stream>>>(A, B, C, s, alpha, beta,
                                                      wide);
    return cudaGetLastError();
}

#endif
