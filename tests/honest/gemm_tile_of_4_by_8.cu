// SPDX-License-Identifier: MIT
// honest: 4 x 8 elements per thread, 128 threads
// chapter: 13 gemm
// expect: PASS
//> todo kernel (about 69 lines)
enum {
    BM = 64,  // rows of C per block
    BN = 64,  // columns
    BK = 8,   // of k on chip at a time
    TM = 4,   // rows per thread, DOWN apart
    TN = 8,   // columns, ACROSS apart
    DOWN = BM / TM,
    ACROSS = BN / TN,
    THREADS = DOWN * ACROSS
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// A thread computes TM x TN elements: TM + TN floats, once read from shared
// memory, serve TM * TN multiply-adds. Its columns lie ACROSS apart, so that
// neighbouring lanes read neighbouring banks.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ float a_tile[BM][BK], b_tile[BK][BN];

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int t_row = threadIdx.x / ACROSS, t_col = threadIdx.x % ACROSS;
    float sum[TM][TN] = {{0.0f}};

    for (int first = 0; first < s.K; first += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = i / BK, k = i % BK;

            a_tile[m][k] = row0 + m < s.M && first + k < s.K
                               ? A[(size_t)(row0 + m) * s.lda + first + k]
                               : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = i / BN, n = i % BN;

            b_tile[k][n] = first + k < s.K && col0 + n < s.N
                               ? B[(size_t)(first + k) * s.ldb + col0 + n]
                               : 0.0f;
        }
        __syncthreads(); // the tiles are full: they may be read
#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a[TM], b[TN];

            for (int i = 0; i < TM; i++)
                a[i] = a_tile[t_row + i * DOWN][k];
            for (int j = 0; j < TN; j++)
                b[j] = b_tile[k][t_col + j * ACROSS];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads(); // all have read: the tiles may be filled again
    }

    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int row = row0 + t_row + i * DOWN, col = col0 + t_col + j * ACROSS;

            if (row < s.M && col < s.N)
                finish(C + (size_t)row * s.ldc + col, sum[i][j], alpha, beta);
        }
}
//< todo
