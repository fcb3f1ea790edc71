// SPDX-License-Identifier: MIT
// Stage 15, matrix product: asynchronous copies, step 7: few rows.
// New: tiles of 8 or 16 rows; B from memory to registers; k shared by groups.
// Before: step 6; 128 rows are computed where there may be one.
// Counter: flops_over_useful falls from 16 to 1 with 8 rows.

#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"
#include "op/gemm_few.cuh"

// Who computes what. Tiles 0 ... whole - 1 go to the blocks in full rounds. The
// `left` ones after them are a row of units, each BK of the k of one tile; each
// block has an equal share, no more than a tile and in two of them at most.
struct plan {
    int blocks, whole, left, steps; // steps: units per tile
};

// Where a block's share of the units begins, and that of the block before ends.
static __device__ long long first_unit(struct plan p, int block)
{
    return (long long)p.left * p.steps * block / p.blocks;
}

// As many blocks as `room`, those that run at a time, and none without a unit.
// A cut costs a second pass, which grows with the parts that it reads: some
// steps' time. It pays if blocks would be idle for longer.
static struct plan plan_for(int tiles, int steps, int room)
{
    int blocks = min((long long)room, (long long)tiles * steps);
    int left = tiles % blocks, idle = blocks - left;
    bool cut = (long long)idle * steps > blocks * (2LL + (left + blocks) / 32);

    if (!cut)
        left = 0;
    return {blocks, tiles - left, left, steps};
}

//> todo kernel (about 325 lines)
enum {
    BM = 128, // rows of C per block
    BN = 256, // columns
    BK = 16,  // of k on chip at a time
    TM = 8,   // rows per thread: fours, 4 * DOWN apart
    TN = 16,  // columns: fours, 4 * ACROSS apart
    LANES = 32,
    DOWN = 8, // lanes of a warp, one below the other
    ACROSS = LANES / DOWN,
    WM = DOWN * TM,   // rows of C per warp
    WN = ACROSS * TN, // columns
    THREADS = BM / WM * (BN / WN) * LANES,
    PITCH = BM + 4, // of A's tile: 8 values of k of a row, 8 other banks
    BLOCKS = 1,     // per multiprocessor: 255 registers per thread
    STAGES = 3,     // pairs of tiles on chip: one in use, the others coming
    ON_CHIP = STAGES * BK * (PITCH + BN) * sizeof(float) // bytes
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

// What a thread copies of the next pair of tiles: where it begins in A and B,
// and how many rows, columns and values of k the matrices have from there on.
struct share {
    const float *a, *b;
    int lda, ldb, rows, cols, depth;
};

// Starts a thread's copies of a pair of tiles; A's is transposed on its way.
// `inside`: all of it exists, and nothing needs to be checked.
static __device__ __forceinline__ void
stage(float *a_tile, float *b_tile, struct share from, bool wide, bool inside)
{
    int a_k = threadIdx.x % BK, b_k = threadIdx.x * 4 / BN;

    a_tile += a_k * PITCH + threadIdx.x / BK;
    b_tile += threadIdx.x * 4;
#pragma unroll
    for (int m = 0; m < BM; m += THREADS / BK) {
        bool exists = inside || (m < from.rows && a_k < from.depth);

        __pipeline_memcpy_async(a_tile + m, from.a, sizeof(float),
                                exists ? 0 : sizeof(float));
        from.a += (size_t)(THREADS / BK) * from.lda;
    }
#pragma unroll
    for (int k = 0; k < BK; k += THREADS * 4 / BN) {
        copy(b_tile + k * BN, from.b,
             inside || k + b_k < from.depth ? from.cols : 0, wide);
        from.b += (size_t)(THREADS * 4 / BN) * from.ldb;
    }
}

// Out of line, lest its registers crowd those of the loop.
static __device__ __noinline__ void stage_edge(float *a_tile, float *b_tile,
                                               struct share from, bool wide)
{
    stage(a_tile, b_tile, from, wide, false);
}

// The next pair of tiles, with zeros where the matrices end: one group.
static __device__ __forceinline__ void
stage_next(float *a_tile, float *b_tile, struct share *from, bool wide,
           bool inside)
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

// What a thread needs of a row of each tile.
static __device__ void fetch(float *a, float *b, const float *a_row,
                             const float *b_row)
{
    for (int i = 0; i < TM; i += 4)
        get(a + i, a_row + i * DOWN);
    for (int j = 0; j < TN; j += 4)
        get(b + j, b_row + j * ACROSS);
}

// A thread computes TM x TN elements: TM + TN floats, once read from shared
// memory, serve TM * TN multiply-adds. The rows of A's tile are columns of A,
// so that the rows of a thread are neighbours there. `wide`: every row of B and
// C begins on a boundary of 16 bytes, and holds fours and nothing else. k goes
// from `begin` to `end` - 1.
static __device__ __forceinline__ void
multiply(float (*sum)[TN], const float *A, const float *B, struct gemm_shape s,
         int row0, int col0, int t_row, int t_col, int begin, int end,
         bool wide)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    float(*a_tile)[BK][PITCH] = (float(*)[BK][PITCH])on_chip;
    float(*b_tile)[BK][BN] = (float(*)[BK][BN])(a_tile + STAGES);

    __pipeline_wait_prior(0);
    __syncthreads(); // the ring is free: nobody reads or fills it any more

    int a_row = threadIdx.x / BK, a_k = threadIdx.x % BK;
    int b_k = threadIdx.x * 4 / BN, b_col = threadIdx.x * 4 % BN;
    struct share from = {A + (size_t)(row0 + a_row) * s.lda + begin + a_k,
                         B + (size_t)(begin + b_k) * s.ldb + col0 + b_col,
                         s.lda, s.ldb,
                         s.M - row0 - a_row, s.N - col0 - b_col, end - begin};
    bool inside = wide && row0 + BM <= s.M && col0 + BN <= s.N;

    for (int i = 0; i < STAGES - 1; i++)
        stage_next(a_tile[i][0], b_tile[i][0], &from, wide, inside);

    float a[2][TM], b[2][TN]; // for this k and for the next, in turn
    int now = 0;              // the pair of tiles with the next k

    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); // the first pair is there
    fetch(a[0], b[0], a_tile[0][0] + t_row, b_tile[0][0] + t_col);
    for (int first = begin; first < end; first += BK) {
        int free = (now + STAGES - 1) % STAGES;

#pragma unroll
        for (int k = 0; k < BK; k++) {
            int next = (k + 1) % BK;

            if (next == 0) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads(); // the next pair is there, this one is read
                now = (now + 1) % STAGES;
            }
            fetch(a[next % 2], b[next % 2], a_tile[now][next] + t_row,
                  b_tile[now][next] + t_col);
            if (k == 0) // `free` was read before the last barrier
                stage_next(a_tile[free][0], b_tile[free][0], &from, wide,
                           inside);
            for (int j = 0; j < TN; j++)
                for (int ii = 0; ii < TM; ii++) {
                    int i = j % 2 ? TM - 1 - ii : ii; // down, and up again

                    sum[i][j] += a[k % 2][i] * b[k % 2][j];
                }
        }
    }
}

static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide, struct plan p, float *partial)
{
    int across = (s.N - 1) / BN + 1; // tiles along a row of C
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int t_row = warp / (BN / WN) * WM + lane / 2 % DOWN * 4;
    int t_col = warp % (BN / WN) * WN + (lane / 16 * 2 + lane % 2) * 4;
    long long unit = first_unit(p, blockIdx.x);
    long long last = first_unit(p, blockIdx.x + 1);

    partial += (size_t)blockIdx.x * 2 * BM * BN; // room for two parts of tiles
    for (int next = blockIdx.x; next < p.whole || unit < last;
         next += p.blocks) {
        int tile = next, from = 0, to = p.steps;
        float sum[TM][TN] = {{0.0f}};

        if (next >= p.whole) { // the full rounds are over
            tile = p.whole + unit / p.steps;
            from = unit % p.steps;
            to = min((long long)p.steps, from + last - unit);
            unit += to - from;
        }

        int row0 = tile / across * BM, col0 = tile % across * BN;

        multiply(sum, A, B, s, row0, col0, t_row, t_col, from * BK,
                 min(s.K, to * BK), wide);
#pragma unroll // sum stays in registers if its indices are constants
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j += 4) {
                int m = t_row + i / 4 * 4 * DOWN + i % 4, row = row0 + m;
                int n = t_col + j * ACROSS, col = col0 + n;

                if (to - from < p.steps)
                    put(partial + m * BN + n, sum[i] + j, 4, 1.0f, 0.0f, true);
                else if (row < s.M)
                    put(C + (size_t)row * s.ldc + col, sum[i] + j, s.N - col,
                        alpha, beta, wide);
            }
        if (to - from < p.steps)
            partial += BM * BN;
    }
}

// Adds up the parts of each tile left over, in their order: four neighbours per
// thread. A tile that one block had for itself is there already.
static __global__ void join(const float *partial, float *C,
                            struct gemm_shape s, float alpha, float beta,
                            bool wide, struct plan p)
{
    int across = (s.N - 1) / BN + 1, place = blockIdx.x * THREADS + threadIdx.x;
    int tile = place / (BM * BN / 4), cell = place % (BM * BN / 4) * 4;
    int row = (p.whole + tile) / across * BM + cell / BN;
    int col = (p.whole + tile) % across * BN + cell % BN;
    long long begin = (long long)tile * p.steps, end = begin + p.steps;
    int block = ((begin + 1) * p.blocks - 1) / ((long long)p.left * p.steps);
    float sum[4] = {0.0f}, four[4];

    if (first_unit(p, block + 1) >= end)
        return;
    for (; first_unit(p, block) < end; block++) {
        bool second = first_unit(p, block) < begin; // it had a part before

        if (first_unit(p, block) == first_unit(p, block + 1))
            continue;
        get(four, partial + (size_t)(block * 2 + second) * BM * BN + cell);
        for (int e = 0; e < 4; e++)
            sum[e] += four[e];
    }
    if (row < s.M)
        put(C + (size_t)row * s.ldc + col, sum, s.N - col, alpha, beta, wide);
}

static struct plan plan_of(struct gemm_shape s)
{
    int tiles = ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1);
    int steps = (s.K - 1) / BK + 1, device = 0, room = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    return plan_for(tiles, steps, room * BLOCKS);
}

// The groups of a block take turns of AHEAD values of k. So many rows of B are
// under way to each thread; the next one is started where one has been used.
template <int ROWS, bool WIDE>
static __global__ void __launch_bounds__(FEW_THREADS, WIDE ? 2 : 1)
    few_gemm(const float *A, const float *B, float *C, struct gemm_shape s,
             float alpha, float beta)
{
    typedef few<ROWS> my;
    extern __shared__ __align__(16) float on_chip[]; // my::ON_CHIP bytes
    float(*a)[my::DEEP] = (float(*)[my::DEEP])on_chip;
    struct few_block t = few_find<ROWS>(s);
    int group = threadIdx.x / my::ACROSS, place = threadIdx.x % my::ACROSS * 4;
    int count = s.N - t.col0 - place, k = t.begin + group * my::AHEAD;
    const float *from = B + (size_t)k * s.ldb + t.col0 + place;
    float b[my::AHEAD][4], four[4], sum[ROWS][4] = {{0.0f}};

#pragma unroll // b and sum stay in registers if their indices are constants
    for (int i = 0; i < my::AHEAD; i++)
        few_load<WIDE>(b[i], from + (size_t)i * s.ldb,
                       k + i < t.end ? count : 0);
    for (int first = t.begin; first < t.end; first += my::TURN) {
        if ((first - t.begin) % my::DEEP == 0) {
            __syncthreads(); // the stretch before has been read
            few_stretch<ROWS>(a, A, s, t.row0, first, t.end);
            __syncthreads(); // all of this one is there
        }
        const float *mine = a[0] + (k - t.begin) % my::DEEP;

        k += my::TURN;
        from += (size_t)my::TURN * s.ldb;
#pragma unroll
        for (int q = 0; q < my::AHEAD; q += 4) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                get(four, mine + r * my::DEEP + q);
                for (int i = 0; i < 16; i++)
                    sum[r][i % 4] += four[i / 4] * b[q + i / 4][i % 4];
            }
#pragma unroll
            for (int i = q; i < q + 4; i++)
                few_load<WIDE>(b[i], from + (size_t)i * s.ldb,
                               k + i < t.end ? count : 0);
        }
    }
    __syncthreads(); // A has been read: the sums take its place
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        put(on_chip + (group * ROWS + r) * my::WIDTH + place, sum[r], 4, 1, 0,
            true);
    few_finish<ROWS>(on_chip, C, s, t.row0, t.col0, alpha, beta, WIDE);
}
//< todo

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    //> todo workspace (about 3 lines)
    struct plan p = plan_of(shape);

    if (few_rows(shape) > 0)
        return 0; // what is on its way has its own place
    return p.left > 0 ? p.blocks * 2 * BM * BN * sizeof(float) : 0;
    //< todo
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    //> todo launch (about 15 lines)
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    struct plan p = plan_of(shape);
    float *partial = (float *)workspace;
    int rows = few_rows(shape);

    if (rows > 0)
        return few_launch(A, B, C, shape, rows, alpha, beta, stream);
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<p.blocks, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha, beta,
                                                 wide, p, partial);
    if (p.left > 0)
        join<<<p.left * (BM * BN / 4 / THREADS), THREADS, 0, stream>>>(
            partial, C, shape, alpha, beta, wide, p);
    //< todo
    return cudaGetLastError();
}
