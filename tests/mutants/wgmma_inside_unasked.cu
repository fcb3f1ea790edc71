// SPDX-License-Identifier: MIT
// mutant: a tile inside the matrices is copied by 16 bytes, wherever rows begin
// chapter: 17 wgmma
// expect: MEMORY
//> todo kernel (about 166 lines)
enum {
    BM = 128, // rows of C per block
    BN = 256, // columns
    BK = 64,  // of k on chip at a time: 128 bytes of a row of A
    LANES = 32,
    THREADS = BM / WGMMA_M * GROUP,
    CHUNK = 16 / sizeof(element), // elements of a copy
    CHUNKS = BK / CHUNK,          // of a row of A's tile
    B_TILE = BK * TILE_WIDTH,     // elements of 64 columns of B
    BLOCKS = 1, // per multiprocessor: 255 registers per thread
    STAGES = 4, // pairs of tiles on chip: one in use, the others coming
    ON_CHIP = STAGES * (BM * BK + BK * BN) * sizeof(element) // bytes
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c;
}

// Starts a copy of the first `count` elements of a chunk; the others become 0.
// What does not exist is not read. `wide`: all of them exist or none. Else they
// are stored at once: no asynchronous copy has 2 bytes.
static __device__ __forceinline__ void
copy(element *to, const element *from, int count, bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, 16, count > 0 ? 0 : 16);
    else
        for (int e = 0; e < CHUNK; e++)
            to[e] = e < count ? from[e] : (element)0.0f;
}

// Where chunk `c` of row m of a tile begins. The chunks of a row change places
// with m, so that the same chunk of 8 rows lies in 32 banks. wgmma expects it.
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
stage(element *a_tile, element *b_tile, struct share from, bool wide,
      bool inside)
{
    int k0 = threadIdx.x * CHUNK / BN, n = threadIdx.x * CHUNK % BN;
    int depth_a = from.depth - threadIdx.x % CHUNKS * CHUNK;

    a_tile += swizzled(threadIdx.x / CHUNKS, threadIdx.x % CHUNKS);
    b_tile += n / TILE_WIDTH * B_TILE + swizzled(k0, n % TILE_WIDTH / CHUNK);
#pragma unroll
    for (int m = 0; m < BM; m += THREADS / CHUNKS) {
        copy(a_tile + m * BK, from.a,
             inside ? CHUNK : m < from.rows ? depth_a : 0, wide);
        from.a += (size_t)(THREADS / CHUNKS) * from.lda;
    }
#pragma unroll
    for (int k = 0; k < BK; k += THREADS * CHUNK / BN) {
        copy(b_tile + k * TILE_WIDTH, from.b,
             inside ? CHUNK : k0 + k < from.depth ? from.cols : 0, wide);
        from.b += (size_t)(THREADS * CHUNK / BN) * from.ldb;
    }
}

// Out of line, lest its registers crowd those of the loop.
static __device__ __noinline__ void stage_edge(element *a_tile,
                                               element *b_tile,
                                               struct share from, bool wide)
{
    stage(a_tile, b_tile, from, wide, false);
}

// The next pair of tiles, with zeros where the matrices end: one group, which
// is empty if there is no further pair.
static __device__ __forceinline__ void
stage_next(element *a_tile, element *b_tile, struct share *from,
           bool wide, bool inside)
{
    if (inside && from->depth >= BK)
        stage(a_tile, b_tile, *from, true, true);
    else if (from->depth > 0)
        stage_edge(a_tile, b_tile, *from, wide);
    __pipeline_commit();
    from->a += BK;
    from->b += (size_t)BK * from->ldb;
    from->depth -= BK;
}

// Two neighbours of a row of C, of which the first `count` exist.
static __device__ void put(element *c, const float *sum, int count,
                           float alpha, float beta, bool wide)
{
    if (wide && count >= 2 && beta == 0.0f)
        *(__nv_bfloat162 *)c =
            __floats2bfloat162_rn(alpha * sum[0], alpha * sum[1]);
    else
        for (int e = 0; e < 2; e++)
            if (e < count)
                finish(c + e, sum[e], alpha, beta);
}

// A warpgroup computes WGMMA_M x WGMMA_N elements. What a lane holds of them is
// what the instruction says: gemm_hopper.cuh has the places. `wide`: every row
// of A, B and C begins on a boundary of 16 bytes, and holds whole chunks and
// nothing else.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(1024) element on_chip[]; // ON_CHIP bytes
    element(*a_tile)[BM * BK] = (element(*)[BM * BK])on_chip;
    element(*b_tile)[BK * BN] = (element(*)[BK * BN])(a_tile + STAGES);

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int lane = threadIdx.x % LANES, quad = lane / 4, place = lane % 4;
    int g_row = threadIdx.x / GROUP * WGMMA_M; // of the warpgroup
    int w_row = threadIdx.x / LANES * 16;      // of the warp
    float sum[SUMS];

    int a_row = threadIdx.x / CHUNKS, a_k = threadIdx.x % CHUNKS * CHUNK;
    int b_k = threadIdx.x * CHUNK / BN, b_col = threadIdx.x * CHUNK % BN;
    struct share from = {A + (size_t)(row0 + a_row) * s.lda + a_k,
                         B + (size_t)b_k * s.ldb + col0 + b_col, s.lda, s.ldb,
                         s.M - row0 - a_row, s.N - col0 - b_col, s.K};
    bool inside = row0 + BM <= s.M && col0 + BN <= s.N;

    for (int i = 0; i < STAGES - 1; i++)
        stage_next(a_tile[i], b_tile[i], &from, wide, inside);
    for (int first = 0, now = 0; first < s.K; first += BK) {
        int free = (now + STAGES - 1) % STAGES;
        uint64_t a = matrix_rows(a_tile[now] + g_row * BK);
        uint64_t b = matrix_columns(b_tile[now], B_TILE * sizeof(element));

        __pipeline_wait_prior(STAGES - 2); // this thread's share of `now`
        async_fence();   // wgmma reads what this thread has copied
        __syncthreads(); // everybody's is there, and all have read `free`
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += WGMMA_K)
            wgmma_bf16(sum, a + k * sizeof(element) / 16,
                       b + k * TILE_BYTES / 16, first + k);
        wgmma_commit();
        stage_next(a_tile[free], b_tile[free], &from, wide, inside);
        wgmma_wait<0>();
        now = (now + 1) % STAGES;
    }

#pragma unroll // sum stays in registers if its indices are constants
    for (int j = 0; j < SUMS; j += 2) {
        int row = row0 + w_row + quad + j / 2 % 2 * 8;
        int col = col0 + j / 4 * 8 + place * 2;

        if (row < s.M)
            put(C + (size_t)row * s.ldc + col, sum + j, s.N - col, alpha, beta,
                wide);
    }
}
//< todo
