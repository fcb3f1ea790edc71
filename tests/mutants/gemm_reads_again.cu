// SPDX-License-Identifier: MIT
// mutant: a float of B is read again for each of 8 sums
// chapter: 13 column
// expect: TECHNIQUE shared_load_requests_per_flop
//> todo kernel (about 55 lines)
enum {
    BM = 64, // rows of C per block
    BN = 64, // columns
    BK = 8,  // of k on chip at a time
    TM = 8,  // rows per thread, one below the other
    THREADS = BM * BN / TM
};
static_assert(THREADS == BM * BK && THREADS == BK * BN,
              "a thread brings one element of each tile");

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// A thread computes TM elements of one column. An element of B that it has
// read from shared memory serves TM multiply-adds.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ float a_tile[BM][BK], b_tile[BK][BN];

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int t_row = threadIdx.x / BN * TM, t_col = threadIdx.x % BN;
    float sum[TM] = {0.0f};

    for (int first = 0; first < s.K; first += BK) {
        int m = threadIdx.x / BK, a_k = threadIdx.x % BK;
        int b_k = threadIdx.x / BN, n = threadIdx.x % BN;

        a_tile[m][a_k] = row0 + m < s.M && first + a_k < s.K
                             ? A[(size_t)(row0 + m) * s.lda + first + a_k]
                             : 0.0f;
        b_tile[b_k][n] = first + b_k < s.K && col0 + n < s.N
                             ? B[(size_t)(first + b_k) * s.ldb + col0 + n]
                             : 0.0f;
        __syncthreads(); // the tiles are full: they may be read
        for (int k = 0; k < BK; k++) {
            volatile float *b = &b_tile[k][t_col];

            for (int i = 0; i < TM; i++)
                sum[i] += a_tile[t_row + i][k] * *b;
        }
        __syncthreads(); // all have read: the tiles may be filled again
    }

    for (int i = 0; i < TM; i++) {
        int row = row0 + t_row + i, col = col0 + t_col;

        if (row < s.M && col < s.N)
            finish(C + (size_t)row * s.ldc + col, sum[i], alpha, beta);
    }
}
//< todo
