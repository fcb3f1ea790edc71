// SPDX-License-Identifier: MIT
// Products of bf16 with few tiles, for a dispatcher: tensor cores share a long k.
// New: the blocks of a cluster have parts of k of the same tile of C, and add up
// their sums out of each other's shared memory; a block's warps may share k, too.
// Before: 16/bf16, which does not split k, so that a small C has few blocks.
// Counter: blocks_at_work rise; without a workspace or a second launch.

#include <cuda_bf16.h>
#include <cuda_pipeline_primitives.h>

// Without libcu++, which nothing here needs: nvcc takes half the time.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "op/gemm.h"
#include "op/gemm_tensor.cuh"
#include "sweep/clusters.cuh"

typedef gemm_bf16_t element; // of A, B and C

enum {
    BM = 64, // rows of C per block
    BN = 64, // columns
    BK = 64, // of k on chip at a time: 128 bytes of a row of A
    WM = 32, // rows of C per warp
    WN = 32, // columns
    DEEP = 1, // warps that have the same cells of C, and share k
    LANES = 32,
    MMA_M = 16, // a tensor core's tile of C
    MMA_N = 8,
    MMA_K = 16,
    FLAT = BM / WM * (BN / WN), // warps that have different cells
    THREADS = FLAT * DEEP * LANES,
    CHUNK = 16 / sizeof(element), // elements of the widest copy
    CHUNKS = BK / CHUNK,          // of a row of A's tile
    B_PITCH = BN + 8, // a chunk of 8 values of k, 32 banks
    STAGES = 3, // pairs of tiles on chip: one in use, the others coming
    PAIR = BM * BK + BK * B_PITCH, // elements: of A, then of B
    RING = STAGES * PAIR * sizeof(element),
    SUM_PITCH = BN + 8, // four rows of pairs of sums lie in 32 banks
    SUMS = DEEP * BM * SUM_PITCH * sizeof(float), // which take its place
    ON_CHIP = RING > SUMS ? RING : SUMS, // bytes
    BLOCKS = 4,      // per multiprocessor
    FILL = 2,        // blocks per multiprocessor for which k is split
    LEAST = 2,       // steps of BK per block, if it is
    PORTABLE = 8,    // blocks of a cluster; more a kernel must be allowed
    MOST_PARTS = 16
};

// How many elements each copy of A and of B has, and whether four of C can be
// stored at a time: what the rows' beginnings and ends allow.
struct pieces {
    int a, b;
    bool c;
};

template <bool IS_A> static __device__ int place(int row, int col)
{
    // The chunks of a row of A change places with the row, so that the same
    // chunk of 8 rows lies in 32 banks.
    return IS_A ? row * BK + (col / CHUNK ^ row % CHUNKS) * CHUNK + col % CHUNK
                : row * B_PITCH + col;
}

// A thread's copies of a tile of A or of B, which has `rows` and `cols` left;
// the others become 0. What does not exist is not read. No asynchronous copy
// has 2 bytes, so single elements pass through registers.
template <bool IS_A, int PIECE>
static __device__ __forceinline__ void copy(element *tile, const element *from,
                                            int ld, int rows, int cols)
{
    constexpr int WIDE = IS_A ? BK : BN, ALL = (IS_A ? BM : BK) * WIDE;
    constexpr int COUNT = (ALL / PIECE - 1) / THREADS + 1;
    element single[PIECE == 1 ? COUNT : 1];

#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        int at = (i * THREADS + threadIdx.x) * PIECE;
        int row = at / WIDE, col = at % WIDE;
        bool exists = row < rows && col < cols;
        const element *piece = from + (size_t)row * ld + col;

        if (PIECE == 1)
            single[i] = exists ? *piece : (element)0.0f;
        else if (ALL % (PIECE * THREADS) == 0 || at < ALL)
            __pipeline_memcpy_async(tile + place<IS_A>(row, col), piece,
                                    PIECE * sizeof(element),
                                    exists ? 0 : PIECE * sizeof(element));
    }
#pragma unroll
    for (int i = 0; PIECE == 1 && i < COUNT; i++) {
        int at = i * THREADS + threadIdx.x;

        if (ALL % THREADS == 0 || at < ALL)
            tile[place<IS_A>(at / WIDE, at % WIDE)] = single[i];
    }
}

// Out of line, lest its registers crowd those of the loop.
template <bool IS_A, int PIECE>
static __device__ __noinline__ void copy_small(element *tile,
                                               const element *from, int ld,
                                               int rows, int cols)
{
    copy<IS_A, PIECE>(tile, from, ld, rows, cols);
}

template <bool IS_A>
static __device__ __forceinline__ void
copy_tile(element *tile, const element *from, int ld, int rows, int cols,
          int piece)
{
    if (piece == CHUNK)
        copy<IS_A, CHUNK>(tile, from, ld, rows, cols);
    else if (piece == 2)
        copy_small<IS_A, 2>(tile, from, ld, rows, cols);
    else
        copy_small<IS_A, 1>(tile, from, ld, rows, cols);
}

// The tensor cores' work on a pair of tiles: a warp has every DEEP-th MMA_K of
// its k.
static __device__ __forceinline__ void
multiply(float (*sum)[WN / MMA_N][4], const element *a_tile,
         const element *b_tile, int w_row, int w_col, int w_k)
{
    int lane = threadIdx.x % LANES;

#pragma unroll
    for (int step = 0; step < BK; step += DEEP * MMA_K) {
        unsigned a[WM / MMA_M][4], b[WN / MMA_N][2];
        int k = step + w_k;

#pragma unroll
        for (int i = 0; i < WM / MMA_M; i++)
            load_matrices(a[i], a_tile + place<true>(
                                             w_row + i * MMA_M + lane % MMA_M,
                                             k + lane / MMA_M * CHUNK));
#pragma unroll
        for (int j = 0; j < WN / MMA_N; j += 2)
            load_matrices_transposed(
                b[j], b_tile + place<false>(
                                   k + lane % MMA_K,
                                   w_col + (j + lane / MMA_K) * MMA_N));
#pragma unroll
        for (int i = 0; i < WM / MMA_M; i++)
#pragma unroll
            for (int j = 0; j < WN / MMA_N; j++)
                mma_bf16(sum[i][j], a[i], b[j]);
    }
}

// Four neighbours of a row of C, of which the first `count` exist.
static __device__ void put(element *c, float4 v, int count, float alpha,
                           float beta, bool wide)
{
    float sum[4] = {alpha * v.x, alpha * v.y, alpha * v.z, alpha * v.w};
    __nv_bfloat162 two[2];

    for (int e = 0; e < 4; e++)
        if (e < count && beta != 0.0f)
            sum[e] += beta * (float)c[e];
    if (wide && count >= 4) {
        two[0] = __floats2bfloat162_rn(sum[0], sum[1]);
        two[1] = __floats2bfloat162_rn(sum[2], sum[3]);
        *(uint2 *)c = *(uint2 *)two;
    } else {
        for (int e = 0; e < 4; e++)
            if (e < count)
                c[e] = sum[e];
    }
}

// Of the tile, each of the cluster's blocks finishes its share, with the sums of
// all of them, in their order.
static __device__ void join(cooperative_groups::cluster_group cluster,
                            float *sums, element *C, struct gemm_shape s,
                            int row0, int col0, float alpha, float beta,
                            bool wide, int parts)
{
    int at = (blockIdx.x % parts * THREADS + threadIdx.x) * 4;

    for (; at < BM * BN; at += parts * THREADS * 4) {
        int m = row0 + at / BN, n = col0 + at % BN;
        float4 all = {0.0f, 0.0f, 0.0f, 0.0f};

        if (m >= s.M || n >= s.N)
            continue;
#pragma unroll 4
        for (int i = 0; i < parts * DEEP; i++) {
            const float *from =
                parts > 1 ? cluster.map_shared_rank(sums, i / DEEP) : sums;
            float4 v = *(const float4 *)(from + i % DEEP * BM * SUM_PITCH +
                                         at / BN * SUM_PITCH + at % BN);

            all.x += v.x;
            all.y += v.y;
            all.z += v.z;
            all.w += v.w;
        }
        put(C + (size_t)m * s.ldc + n, all, s.N - n, alpha, beta, wide);
    }
}

// A tile of C has `parts` blocks, a cluster, each with its part of k.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const element *__restrict__ A, const element *__restrict__ B,
         element *C, struct gemm_shape s, float alpha, float beta,
         struct pieces pieces, int parts)
{
    extern __shared__ __align__(128) element on_chip[]; // ON_CHIP bytes
    auto cluster = cooperative_groups::this_cluster();
    int across = (s.N - 1) / BN + 1, steps = (s.K - 1) / BK + 1;
    int tile = blockIdx.x / parts, part = blockIdx.x % parts;
    int row0 = tile / across * BM, col0 = tile % across * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int w_row = warp % FLAT / (BN / WN) * WM, w_col = warp % (BN / WN) * WN;
    int from = steps * part / parts, end = steps * (part + 1) / parts;
    float sum[WM / MMA_M][WN / MMA_N][4] = {{{0.0f}}};
    float *sums = (float *)on_chip, *mine;

    for (int step = from; step < end + STAGES - 1; step++) {
        int ahead = step; // copied now; what is multiplied began before

        if (step >= from + STAGES - 1) {
            __pipeline_wait_prior(STAGES - 2);
            __syncthreads(); // the next pair is there, the last one is read
        }
        if (ahead < end) {
            element *pair = on_chip + (ahead - from) % STAGES * PAIR;
            int k = ahead * BK;

            copy_tile<true>(pair, A + (size_t)row0 * s.lda + k, s.lda,
                            s.M - row0, s.K - k, pieces.a);
            copy_tile<false>(pair + BM * BK, B + (size_t)k * s.ldb + col0,
                             s.ldb, s.K - k, s.N - col0, pieces.b);
        }
        __pipeline_commit();
        if (step >= from + STAGES - 1) {
            const element *pair =
                on_chip + (step - STAGES + 1 - from) % STAGES * PAIR;

            multiply(sum, pair, pair + BM * BK, w_row, w_col,
                     warp / FLAT * MMA_K);
        }
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // no pair is in use any more: the sums take their place
    mine = sums + (warp / FLAT * BM + w_row + lane / 4) * SUM_PITCH + w_col +
           lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < WM / MMA_M; i++)
#pragma unroll
        for (int j = 0; j < WN / MMA_N; j++)
#pragma unroll
            for (int e = 0; e < 4; e += 2)
                *(float2 *)(mine + (i * MMA_M + e / 2 * 8) * SUM_PITCH +
                            j * MMA_N) =
                    make_float2(sum[i][j][e], sum[i][j][e + 1]);
    if (parts > 1)
        cluster.sync(); // all blocks' sums are stored
    else
        __syncthreads(); // all warps' are
    join(cluster, sums, C, s, row0, col0, alpha, beta, pieces.c, parts);
    if (parts > 1)
        cluster.sync(); // no block ends while another reads from it
}

static long long tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / BM + 1) * (long long)((s.N - 1) / BN + 1);
}

// Each has LEAST steps.
static int parts_of(struct gemm_shape s)
{
    int steps = (s.K - 1) / BK + 1;

    return cluster_parts(tiles_of(s), FILL, min(MOST_PARTS, steps / LEAST));
}

// The widest copies that find whole pieces at each row's beginning and end.
static int piece_of(const element *matrix, int cols, int ld)
{
    size_t bits = (size_t)matrix | sizeof(element) * (size_t)(cols | ld);

    return bits % 16 == 0 ? CHUNK : bits % 4 == 0 ? 2 : 1;
}

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape,
                           float alpha, float beta, void *workspace,
                           cudaStream_t stream)
{
    int parts = parts_of(shape);
    struct pieces pieces = {
        piece_of(A, shape.K, shape.lda), piece_of(B, shape.N, shape.ldb),
        ((size_t)C | sizeof(element) * (size_t)(shape.N | shape.ldc)) % 8 == 0};
    cudaLaunchAttribute of_cluster = {};
    cudaLaunchConfig_t config = {};

    (void)workspace; // none was asked for
    of_cluster.id = cudaLaunchAttributeClusterDimension;
    of_cluster.val.clusterDim.x = parts;
    of_cluster.val.clusterDim.y = of_cluster.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)(tiles_of(shape) * parts));
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = ON_CHIP;
    config.stream = stream;
    config.attrs = &of_cluster;
    config.numAttrs = parts > 1;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    if (parts > PORTABLE)
        cudaFuncSetAttribute(
            gemm, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return cudaLaunchKernelEx(&config, gemm, A, B, C, shape, alpha, beta,
                              pieces, parts);
}
