// SPDX-License-Identifier: MIT
// mutant: A is transposed without padding
// chapter: 14 quads
// expect: TECHNIQUE shared_store_conflicts_per_request
//> todo kernel (about 82 lines)
enum {
    BM = 128, // rows of C per block
    BN = 128, // columns
    BK = 8,   // of k on chip at a time
    TM = 8,   // rows per thread: fours, 4 * DOWN apart
    TN = 8,   // columns: fours, 4 * ACROSS apart
    DOWN = BM / TM,
    ACROSS = BN / TN,
    THREADS = DOWN * ACROSS,
    PITCH = BM
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

// A thread computes TM x TN elements: TM + TN floats, once read from shared
// memory, serve TM * TN multiply-adds. The rows of A's tile are columns of A,
// so that the rows of a thread are neighbours there.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ __align__(16) float a_tile[BK][PITCH], b_tile[BK][BN];

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int t_row = threadIdx.x / ACROSS * 4, t_col = threadIdx.x % ACROSS * 4;
    float sum[TM][TN] = {{0.0f}};

    for (int first = 0; first < s.K; first += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = i / BK, k = i % BK;

            a_tile[k][m] = row0 + m < s.M && first + k < s.K
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

    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int row = row0 + t_row + i / 4 * 4 * DOWN + i % 4;
            int col = col0 + t_col + j / 4 * 4 * ACROSS + j % 4;

            if (row < s.M && col < s.N)
                finish(C + (size_t)row * s.ldc + col, sum[i][j], alpha, beta);
        }
}
//< todo
