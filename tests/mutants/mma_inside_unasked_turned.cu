// SPDX-License-Identifier: MIT
// mutant: a tile inside the matrices is copied by 16 bytes, wherever rows begin
// chapter: 16 turned
// expect: MEMORY
//> todo kernel (about 215 lines)
enum {
    BM = 256, // rows of C per block
    BN = 128, // columns
    BK = 32,  // of k on chip at a time: 128 bytes of a row of A
    LANES = 32,
    MMA_M = 16, // a tensor core's tile of C, turned over: its columns
    MMA_N = 8,  // and its rows
    MMA_K = 8,
    WM = 64, // rows of C per warp
    WN = 64, // columns
    THREADS = BM / WM * (BN / WN) * LANES,
    CHUNK = 16 / sizeof(element), // elements of a copy
    CHUNKS = BK / CHUNK,          // of a row of A's tile
    B_PITCH = BN + 8, // 4 values of k of 8 columns, 32 banks
    BLOCKS = 1, // per multiprocessor: 255 registers per thread
    STRIPE = 8, // rows of tiles: their columns are taken one by one
    COPIES = 2, // at this step of a pair the next copies start
    MOST = 4, // pairs of tiles on chip, if they fit: one in use
    PAIR = (BM * BK + BK * B_PITCH) * sizeof(element) // bytes
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c;
}

// Starts a copy of the first `count` elements of a chunk; the others become 0.
// What does not exist is not read. `wide`: all of them exist or none.
static __device__ __forceinline__ void
copy(element *to, const element *from, int count, bool wide)
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

// What a thread copies of the next pair of tiles: where it begins in A and B,
// how many rows and columns the matrices have from there on, and how many
// values of k from the beginning of the pair on: for all threads the same.
struct share {
    const element *a, *b;
    int lda, ldb, rows, cols, depth;
};

// Starts a thread's copies of a pair of tiles. `inside`: all of it exists, and
// nothing needs to be checked.
static __device__ __forceinline__ void
stage(element *a_tile, element (*b_tile)[B_PITCH], struct share from, bool wide,
      bool inside)
{
    int n = threadIdx.x * CHUNK % BN;
    int depth_a = from.depth - threadIdx.x % CHUNKS * CHUNK;
    int depth_b = from.depth - threadIdx.x * CHUNK / BN;

    a_tile += swizzled(threadIdx.x / CHUNKS, threadIdx.x % CHUNKS);
    b_tile += threadIdx.x * CHUNK / BN;
#pragma unroll
    for (int m = 0; m < BM; m += THREADS / CHUNKS) {
        copy(a_tile + m * BK, from.a,
             inside ? CHUNK : m < from.rows ? depth_a : 0, wide);
        from.a += (size_t)(THREADS / CHUNKS) * from.lda;
    }
#pragma unroll
    for (int k = 0; k < BK; k += THREADS * CHUNK / BN) {
        copy(&b_tile[k][n], from.b,
             inside ? CHUNK : k < depth_b ? from.cols : 0, wide);
        from.b += (size_t)(THREADS * CHUNK / BN) * from.ldb;
    }
}

// Out of line: its registers and its question would crowd the loop.
static __device__ __noinline__ void stage_edge(element *a_tile,
                                               element (*b_tile)[B_PITCH],
                                               struct share from, bool wide)
{
    if (from.depth > 0)
        stage(a_tile, b_tile, from, wide, false);
}

// The next pair of tiles, with zeros where the matrices end: one group, which
// is empty if there is no further pair.
static __device__ __forceinline__ void
stage_next(element *a_tile, element (*b_tile)[B_PITCH], struct share *from,
           bool wide, bool inside)
{
    if (inside && from->depth >= BK)
        stage(a_tile, b_tile, *from, true, true);
    else
        stage_edge(a_tile, b_tile, *from, wide);
    __pipeline_commit();
    from->a += BK;
    from->b += (size_t)BK * from->ldb;
    from->depth -= BK;
}

// Two neighbours of a row of C, sum[0] and sum[2]; the first `count` exist.
static __device__ void put(element *c, const float *sum, int count,
                           float alpha, float beta, bool wide)
{
    if (wide && count >= 2 && beta == 0.0f)
        *(float2 *)c = make_float2(alpha * sum[0], alpha * sum[2]);
    else
        for (int e = 0; e < 2; e++)
            if (e < count)
                finish(c + e, sum[e * 2], alpha, beta);
}

// What a lane needs of a pair of tiles, for MMA_K values of k from k on. tf32
// is fp32 whose last 13 bits are not looked at: they are cut, not rounded.
static __device__ __forceinline__ void
fetch(unsigned (*a)[2], unsigned (*b)[4], const element *a_tile,
      const element (*b_tile)[B_PITCH], int w_row, int w_col, int k)
{
    int lane = threadIdx.x % LANES, quad = lane / 4, place = lane % 4;

    for (int j = 0; j < WM / MMA_N; j += 2) { // a[j] and a[j + 1]
        int m = w_row + (j + lane / MMA_M) * MMA_N + lane % MMA_N;

        load_matrices(a[j], a_tile + swizzled(m, k / CHUNK + lane / MMA_N % 2));
    }
    for (int i = 0; i < WN / MMA_M; i++)
        for (int e = 0; e < 2; e++) { // rows quad and quad + 8: neighbours
            float2 two = *(const float2 *)&b_tile[k + place + e * 4]
                                                 [w_col + i * MMA_M + quad * 2];

            b[i][e * 2] = __float_as_uint(two.x);
            b[i][e * 2 + 1] = __float_as_uint(two.y);
        }
}

// A warp computes WM x WN elements, as tiles of MMA_N rows and MMA_M columns.
// gemm_tensor.cuh has a lane's places of each, with rows and columns exchanged.
// `wide`: every row of A, B and C begins on a boundary of 16 bytes, and holds
// whole chunks and nothing else.
template <int STAGES>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(128) element on_chip[]; // STAGES * PAIR bytes
    element(*a_tile)[BM * BK] = (element(*)[BM * BK])on_chip;
    element(*b_tile)[BK][B_PITCH] = (element(*)[BK][B_PITCH])(a_tile + STAGES);

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int top = blockIdx.x / (STRIPE * across) * STRIPE; // the stripe's first row
    int tall = min((int)STRIPE, (s.M - 1) / BM + 1 - top); // of tiles; its rows
    int at = blockIdx.x % (STRIPE * across); // in the stripe: down, then across
    int row0 = (top + at % tall) * BM, col0 = at / tall * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int quad = lane / 4, place = lane % 4;
    int w_row = warp / (BN / WN) * WM, w_col = warp % (BN / WN) * WN;
    float sum[WN / MMA_M][WM / MMA_N][4] = {{{0.0f}}};

    int a_row = threadIdx.x / CHUNKS, a_k = threadIdx.x % CHUNKS * CHUNK;
    int b_k = threadIdx.x * CHUNK / BN, b_col = threadIdx.x * CHUNK % BN;
    struct share from = {A + (size_t)(row0 + a_row) * s.lda + a_k,
                         B + (size_t)b_k * s.ldb + col0 + b_col, s.lda, s.ldb,
                         s.M - row0 - a_row, s.N - col0 - b_col, s.K};
    bool inside = row0 + BM <= s.M && col0 + BN <= s.N;

    for (int i = 0; i < STAGES - 1; i++)
        stage_next(a_tile[i], b_tile[i], &from, wide, inside);
    unsigned a[2][WM / MMA_N][2], b[2][WN / MMA_M][4]; // this k and the next
    int now = 0; // the pair of tiles with the next k

    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); // the first pair is there
    fetch(a[0], b[0], a_tile[0], b_tile[0], w_row, w_col, 0);
    for (int first = 0; first < s.K; first += BK) {
        int free = (now + STAGES - 1) % STAGES;

#pragma unroll
        for (int k = 0; k < BK / MMA_K; k++) {
            int next = (k + 1) % (BK / MMA_K);

            if (next == 0) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads(); // the next pair is there, this one is read
                if (first + BK < s.K) // else there is no next one to read
                    now = (now + 1) % STAGES;
            }
            fetch(a[next % 2], b[next % 2], a_tile[now], b_tile[now], w_row,
                  w_col, next * MMA_K);
            // `free` was read before the last barrier
            if (k == (STAGES > 2 ? COPIES : 0))
                stage_next(a_tile[free], b_tile[free], &from, wide, inside);
            for (int i = 0; i < WN / MMA_M; i++)
                for (int jj = 0; jj < WM / MMA_N; jj++) {
                    int j = i % 2 ? WM / MMA_N - 1 - jj : jj; // there and back

                    mma_tf32(sum[i][j], b[k % 2][i], a[k % 2][j]);
                }
        }
    }

#pragma unroll // sum stays in registers if its indices are constants
    for (int i = 0; i < WN / MMA_M; i++)
#pragma unroll
        for (int j = 0; j < WM / MMA_N; j++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                int row = row0 + w_row + j * MMA_N + place * 2 + e;
                int col = col0 + w_col + i * MMA_M + quad * 2;

                if (row < s.M)
                    put(C + (size_t)row * s.ldc + col, sum[i][j] + e,
                        s.N - col, alpha, beta, wide);
            }
}
//< todo
