// SPDX-License-Identifier: MIT
// Stage 15, matrix product: asynchronous copies, step 5: split along k.
// New: where tiles of C are few, several blocks share one, each a part of k.
// Before: step 4; few tiles kept few multiprocessors at work.
// Counter: blocks_at_work rises with the parts.

#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

//> todo kernel (about 252 lines)
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

// A tile of C has `parts` blocks, each with its part of k.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide, int parts, float *partial)
{
    int across = (s.N - 1) / BN + 1; // tiles along a row of C
    int tile = blockIdx.x / parts, part = blockIdx.x % parts;
    int row0 = tile / across * BM, col0 = tile % across * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int t_row = warp / (BN / WN) * WM + lane / 2 % DOWN * 4;
    int t_col = warp % (BN / WN) * WN + (lane / 16 * 2 + lane % 2) * 4;
    long long steps = (s.K - 1) / BK + 1;
    int from = steps * part / parts, to = steps * (part + 1) / parts;
    float sum[TM][TN] = {{0.0f}};

    partial += (size_t)blockIdx.x * BM * BN;
    multiply(sum, A, B, s, row0, col0, t_row, t_col, from * BK,
             min(s.K, to * BK), wide);
#pragma unroll // sum stays in registers if its indices are constants
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int m = t_row + i / 4 * 4 * DOWN + i % 4, row = row0 + m;
            int n = t_col + j * ACROSS, col = col0 + n;

            if (parts > 1)
                put(partial + m * BN + n, sum[i] + j, 4, 1.0f, 0.0f, true);
            else if (row < s.M)
                put(C + (size_t)row * s.ldc + col, sum[i] + j, s.N - col,
                    alpha, beta, wide);
        }
}

// Adds up the parts of each tile, in their order: four neighbours per thread.
static __global__ void join(const float *partial, float *C,
                            struct gemm_shape s, float alpha, float beta,
                            bool wide, int parts)
{
    int across = (s.N - 1) / BN + 1, place = blockIdx.x * THREADS + threadIdx.x;
    int tile = place / (BM * BN / 4), cell = place % (BM * BN / 4) * 4;
    int row = tile / across * BM + cell / BN;
    int col = tile % across * BN + cell % BN;
    float sum[4] = {0.0f}, four[4];

    for (int part = 0; part < parts; part++) {
        get(four, partial + (size_t)(tile * parts + part) * BM * BN + cell);
        for (int e = 0; e < 4; e++)
            sum[e] += four[e];
    }
    if (row < s.M)
        put(C + (size_t)row * s.ldc + col, sum, s.N - col, alpha, beta, wide);
}

// As many parts per tile as there is room for, and none without a step.
static int parts_of(struct gemm_shape s)
{
    int tiles = ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1);
    int device = 0, room = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    return max(1, min((s.K - 1) / BK + 1, room * BLOCKS / tiles));
}
//< todo

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    //> todo workspace (about 4 lines)
    size_t tiles = (size_t)((shape.M - 1) / BM + 1) * ((shape.N - 1) / BN + 1);
    int parts = parts_of(shape);

    return parts > 1 ? tiles * parts * BM * BN * sizeof(float) : 0;
    //< todo
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    //> todo launch (about 13 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldb | shape.ldc, parts = parts_of(shape);
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    float *partial = (float *)workspace;

    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<across * down * parts, THREADS, ON_CHIP, stream>>>(
        A, B, C, shape, alpha, beta, wide, parts, partial);
    if (parts > 1)
        join<<<across * down * (BM * BN / 4 / THREADS), THREADS, 0, stream>>>(
            partial, C, shape, alpha, beta, wide, parts);
    //< todo
    return cudaGetLastError();
}
