// SPDX-License-Identifier: MIT
// mutant: tiles filled as before, beside asynchronous copies that nobody reads
// chapter: 15 copies
// expect: TECHNIQUE global_bytes_over_compulsory
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

enum {
    BM = 128, // rows of C per block
    BN = 128, // columns
    BK = 8,   // of k on chip at a time
    TM = 8,   // rows per thread: fours, 4 * DOWN apart
    TN = 8,   // columns: fours, 4 * ACROSS apart
    LANES = 32,
    DOWN = 8, // lanes of a warp, one below the other
    ACROSS = LANES / DOWN,
    WM = DOWN * TM,   // rows of C per warp
    WN = ACROSS * TN, // columns
    THREADS = BM / WM * (BN / WN) * LANES,
    PITCH = BM + 4 // of A's tile: 8 values of k of a row, 8 other banks
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// Four neighbours, on a boundary of 16 bytes: one access.
static __device__ void get(float *four, const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

// The first `count` of four neighbours of a row; the others are 0.
static __device__ void load(float *four, const float *from, int count,
                            bool wide)
{
    if (wide && count >= 4)
        get(four, from);
    else
        for (int e = 0; e < 4; e++)
            four[e] = e < count ? from[e] : 0.0f;
}

// Four neighbours of a row of C, of which the first `count` exist.
static __device__ void put(float *c, const float *sum, int count, float alpha,
                           float beta, bool wide)
{
    if (wide && count >= 4) {
        float old[4] = {0.0f};

        if (beta != 0.0f)
            get(old, c);
        for (int e = 0; e < 4; e++)
            old[e] = alpha * sum[e] + beta * old[e];
        *(float4 *)c = make_float4(old[0], old[1], old[2], old[3]);
    } else {
        for (int e = 0; e < 4; e++)
            if (e < count)
                finish(c + e, sum[e], alpha, beta);
    }
}

// A thread computes TM x TN elements: TM + TN floats, once read from shared
// memory, serve TM * TN multiply-adds. The rows of A's tile are columns of A,
// so that the rows of a thread are neighbours there. `wide`: every row of A, B
// and C begins on a boundary of 16 bytes.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta,
                            bool wide)
{
    __shared__ __align__(16) float a_tile[BK][PITCH], b_tile[BK][BN];
    __shared__ __align__(16) float show[4][THREADS][4]; // which nobody reads

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int t_row = warp / (BN / WN) * WM + lane / 2 % DOWN * 4;
    int t_col = warp % (BN / WN) * WN + (lane / 16 * 2 + lane % 2) * 4;
    float sum[TM][TN] = {{0.0f}};

    for (int first = 0; first < s.K; first += BK) {
        int of = threadIdx.x * 4 / BK % BM, at = first + threadIdx.x * 4 % BK;

        if (wide && row0 + of < s.M && at + 4 <= s.K)
            __pipeline_memcpy_async(show[first / BK % 4][threadIdx.x],
                                    A + (size_t)(row0 + of) * s.lda + at, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        for (int i = threadIdx.x * 4; i < BM * BK; i += THREADS * 4) {
            int m = i / BK, k = i % BK;
            float four[4];

            load(four, A + (size_t)(row0 + m) * s.lda + first + k,
                 row0 + m < s.M ? s.K - first - k : 0, wide);
            for (int e = 0; e < 4; e++)
                a_tile[k + e][m] = four[e];
        }
        for (int i = threadIdx.x * 4; i < BK * BN; i += THREADS * 4) {
            int k = i / BN, n = i % BN;
            float four[4];

            load(four, B + (size_t)(first + k) * s.ldb + col0 + n,
                 first + k < s.K ? s.N - col0 - n : 0, wide);
            *(float4 *)&b_tile[k][n] =
                make_float4(four[0], four[1], four[2], four[3]);
        }
        __syncthreads(); // the tiles are full: they may be read
#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a[TM], b[TN];

            for (int i = 0; i < TM; i += 4)
                get(a + i, &a_tile[k][t_row + i * DOWN]);
            for (int j = 0; j < TN; j += 4)
                get(b + j, &b_tile[k][t_col + j * ACROSS]);
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads(); // all have read: the tiles may be filled again
    }

#pragma unroll // sum stays in registers if its indices are constants
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int row = row0 + t_row + i / 4 * 4 * DOWN + i % 4;
            int col = col0 + t_col + j * ACROSS;

            if (row < s.M)
                put(C + (size_t)row * s.ldc + col, sum[i] + j, s.N - col,
                    alpha, beta, wide);
        }
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)A | (size_t)B | (size_t)C;
    int floats = shape.lda | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;

    (void)workspace; // none was asked for
    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                wide);
    return cudaGetLastError();
}
