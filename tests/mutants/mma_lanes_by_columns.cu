// SPDX-License-Identifier: MIT
// mutant: lane % 8 and lane / 8 stand for a lane's place in a tile
// chapter: 16 fragments
// expect: WRONG misplaced
// say: as if lane % 8 and lane / 8 were a lane's place in the tiles of all arrays
//> todo kernel
enum {
    BM = 128, // rows of C per block
    BN = 128, // columns
    BK = 8,   // of k on chip at a time
    LANES = 32,
    MMA_M = 16, // a tensor core's tile of C
    MMA_N = 8,
    MMA_K = 8,
    WM = 64, // rows of C per warp
    WN = 32, // columns
    THREADS = BM / WM * (BN / WN) * LANES,
    PITCH = BM + 8, // of A's tile: 4 values of k of 8 rows, 32 banks
    B_PITCH = BN + 8,
    BLOCKS = 2, // per multiprocessor: 128 registers per thread
    STAGES = 4  // pairs of tiles on chip: one in use, the others coming
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// Starts a copy of the first `count` of four neighbours of a row; the others
// become 0. What does not exist is not read. `wide`: there are four or none.
static __device__ void copy(float *to, const float *from, int count, bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, sizeof(float4),
                                count > 0 ? 0 : sizeof(float4));
    else
        for (int e = 0; e < 4; e++)
            __pipeline_memcpy_async(to + e, from + e, sizeof(float),
                                    e < count ? 0 : sizeof(float));
}

// Starts the copies of a pair of tiles: BK columns of A, transposed on their
// way, and BK rows of B, from `first` on.
static __device__ void stage(float (*a_tile)[PITCH], float (*b_tile)[B_PITCH],
                             const float *A, const float *B,
                             struct gemm_shape s, int row0, int col0,
                             int first, bool wide)
{
#pragma unroll
    for (int i = 0; i < BM * BK / THREADS; i++) {
        int slot = i * THREADS + threadIdx.x, m = slot / BK, k = slot % BK;
        bool exists = row0 + m < s.M && first + k < s.K;

        __pipeline_memcpy_async(&a_tile[k][m],
                                A + (size_t)(row0 + m) * s.lda + first + k,
                                sizeof(float), exists ? 0 : sizeof(float));
    }
#pragma unroll
    for (int i = 0; i < BK * BN / (THREADS * 4); i++) {
        int slot = i * THREADS + threadIdx.x;
        int k = slot * 4 / BN, n = slot * 4 % BN;

        copy(&b_tile[k][n], B + (size_t)(first + k) * s.ldb + col0 + n,
             first + k < s.K ? s.N - col0 - n : 0, wide);
    }
}

// Two neighbours of a row of C, of which the first `count` exist.
static __device__ void put(float *c, const float *sum, int count, float alpha,
                           float beta, bool wide)
{
    if (wide && count >= 2 && beta == 0.0f)
        *(float2 *)c = make_float2(alpha * sum[0], alpha * sum[1]);
    else
        for (int e = 0; e < 2; e++)
            if (e < count)
                finish(c + e, sum[e], alpha, beta);
}

// A warp computes WM x WN elements, as tiles of MMA_M x MMA_N. A lane holds of
// each what the instruction wants: gemm_tensor.cuh has the places.
// `wide`: every row of B and C begins on a boundary of 16 bytes, and holds
// fours and nothing else.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    __shared__ __align__(16) float a_tile[STAGES][BK][PITCH];
    __shared__ __align__(16) float b_tile[STAGES][BK][B_PITCH];

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int quad = lane % 8, place = lane / 8;
    int w_row = warp / (BN / WN) * WM, w_col = warp % (BN / WN) * WN;
    float sum[WM / MMA_M][WN / MMA_N][4] = {{{0.0f}}};

    for (int i = 0; i < STAGES - 1; i++) {
        stage(a_tile[i], b_tile[i], A, B, s, row0, col0, i * BK, wide);
        __pipeline_commit();
    }
    for (int first = 0, now = 0; first < s.K; first += BK) {
        int free = (now + STAGES - 1) % STAGES;
        int ahead = first + (STAGES - 1) * BK;

        __pipeline_wait_prior(STAGES - 2); // this thread's share of `now`
        __syncthreads(); // everybody's is there, and all have read `free`
        stage(a_tile[free], b_tile[free], A, B, s, row0, col0, ahead,
              wide);
        __pipeline_commit();
#pragma unroll
        for (int k = 0; k < BK; k += MMA_K) {
            unsigned a[WM / MMA_M][4], b[2];

            for (int i = 0; i < WM / MMA_M; i++)
                for (int e = 0; e < 4; e++)
                    a[i][e] = to_tf32(a_tile[now][k + place + e / 2 * 4]
                                            [w_row + i * MMA_M + quad +
                                             e % 2 * 8]);
            for (int j = 0; j < WN / MMA_N; j++) {
                for (int e = 0; e < 2; e++)
                    b[e] = to_tf32(b_tile[now][k + place + e * 4]
                                         [w_col + j * MMA_N + quad]);
                for (int i = 0; i < WM / MMA_M; i++)
                    mma_tf32(sum[i][j], a[i], b);
            }
        }
        now = (now + 1) % STAGES;
    }

#pragma unroll // sum stays in registers if its indices are constants
    for (int i = 0; i < WM / MMA_M; i++)
#pragma unroll
        for (int j = 0; j < WN / MMA_N; j++)
#pragma unroll
            for (int e = 0; e < 4; e += 2) {
                int row = row0 + w_row + i * MMA_M + quad + e / 2 * 8;
                int col = col0 + w_col + j * MMA_N + place * 2;

                if (row < s.M)
                    put(C + (size_t)row * s.ldc + col, sum[i][j] + e,
                        s.N - col, alpha, beta, wide);
            }
}
//< todo
