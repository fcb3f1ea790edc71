// SPDX-License-Identifier: MIT
// mutant: pieces are read where they would lie without the swizzle
// chapter: 16 matrices
// expect: WRONG misplaced
// say: as if rows of A were written with a swizzle, and read without
//> todo kernel
enum {
    BM = 128, // rows of C per block
    BN = 128, // columns
    BK = 32,  // of k on chip at a time: 128 bytes of a row of A
    LANES = 32,
    MMA_M = 16, // a tensor core's tile of C
    MMA_N = 8,
    MMA_K = 8,
    WM = 64, // rows of C per warp
    WN = 32, // columns
    THREADS = BM / WM * (BN / WN) * LANES,
    CHUNK = 16 / sizeof(element), // elements of a copy
    CHUNKS = BK / CHUNK,          // of a row of A's tile
    B_PITCH = BN + 8, // 4 values of k of 8 columns, 32 banks
    BLOCKS = 2, // per multiprocessor: 128 registers per thread
    STAGES = 3, // pairs of tiles on chip: one in use, the others coming
    ON_CHIP = STAGES * (BM * BK + BK * B_PITCH) * sizeof(element) // bytes
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c;
}

// Starts a copy of the first `count` elements of a chunk; the others become 0.
// What does not exist is not read. `wide`: all of them exist or none.
static __device__ void copy(element *to, const element *from, int count,
                            bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, 16, count > 0 ? 0 : 16);
    else
        for (int e = 0; e < CHUNK; e++)
            __pipeline_memcpy_async(to + e, from + e, sizeof(element),
                                    e < count ? 0 : sizeof(element));
}

// Where chunk `c` of row m of A's tile begins. The chunks of a row change
// places with m, so that the same chunk of 8 rows lies in 32 banks.
static __device__ int swizzled(int m, int c)
{
    return m * BK + (c ^ m % CHUNKS) * CHUNK;
}

// Starts the copies of a pair of tiles: BK columns of A and BK rows of B, from
// `first` on.
static __device__ void stage(element *a_tile, element (*b_tile)[B_PITCH],
                             const element *A, const element *B,
                             struct gemm_shape s, int row0, int col0,
                             int first, bool wide)
{
#pragma unroll
    for (int i = 0; i < BM * CHUNKS / THREADS; i++) {
        int slot = i * THREADS + threadIdx.x, m = slot / CHUNKS;
        int c = slot % CHUNKS, k = first + c * CHUNK;

        copy(a_tile + swizzled(m, c), A + (size_t)(row0 + m) * s.lda + k,
             row0 + m < s.M ? s.K - k : 0, wide);
    }
#pragma unroll
    for (int i = 0; i < BK * BN / (THREADS * CHUNK); i++) {
        int slot = i * THREADS + threadIdx.x;
        int k = slot * CHUNK / BN, n = slot * CHUNK % BN;

        copy(&b_tile[k][n], B + (size_t)(first + k) * s.ldb + col0 + n,
             first + k < s.K ? s.N - col0 - n : 0, wide);
    }
}

// Two neighbours of a row of C, of which the first `count` exist.
static __device__ void put(element *c, const float *sum, int count,
                           float alpha, float beta, bool wide)
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
// `wide`: every row of A, B and C begins on a boundary of 16 bytes, and holds
// whole chunks and nothing else.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(128) element on_chip[]; // ON_CHIP bytes
    element(*a_tile)[BM * BK] = (element(*)[BM * BK])on_chip;
    element(*b_tile)[BK][B_PITCH] = (element(*)[BK][B_PITCH])(a_tile + STAGES);

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int quad = lane / 4, place = lane % 4;
    int w_row = warp / (BN / WN) * WM, w_col = warp % (BN / WN) * WN;
    float sum[WM / MMA_M][WN / MMA_N][4] = {{{0.0f}}};

    for (int i = 0; i < STAGES - 1; i++) {
        if (i * BK < s.K)
            stage(a_tile[i], b_tile[i], A, B, s, row0, col0, i * BK, wide);
        __pipeline_commit();
    }
    for (int first = 0, now = 0; first < s.K; first += BK) {
        int free = (now + STAGES - 1) % STAGES;
        int ahead = first + (STAGES - 1) * BK;

        __pipeline_wait_prior(STAGES - 2); // this thread's share of `now`
        __syncthreads(); // everybody's is there, and all have read `free`
        if (ahead < s.K)
            stage(a_tile[free], b_tile[free], A, B, s, row0, col0, ahead,
                  wide);
        __pipeline_commit(); // a group without copies, when all are under way
#pragma unroll
        for (int k = 0; k < BK; k += MMA_K) {
            unsigned a[WM / MMA_M][4], b[2];

            for (int i = 0; i < WM / MMA_M; i++) {
                int m = w_row + i * MMA_M + lane % MMA_M;

                load_matrices(a[i], a_tile[now] +
                                        m * BK + k + lane / MMA_M * CHUNK);
                for (int e = 0; e < 4; e++)
                    a[i][e] = to_tf32(__uint_as_float(a[i][e]));
            }
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
