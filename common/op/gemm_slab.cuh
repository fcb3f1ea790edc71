// SPDX-License-Identifier: MIT
/*
 * gemm_slab.cuh: fp32 products by chapter 15's loop, with tiles of many widths
 * whose k is shared among slices of a block, and among the blocks of a cluster.
 * For chapter 23's candidates; compute_90.
 *
 *   slab             the sizes of a tile
 *   slab_gemm        the kernel
 *   slab_tiles, slab_launch
 *                    how many tiles there are; a launch, `parts` blocks each
 *   slab_place, slab_finish
 *                    where sums are on chip, and what is made of them
 *
 * A slice is some warps of a block, with barriers of its own; a slice of one
 * warp needs none. While a thread multiplies for one value of k, what it needs
 * for the next comes from shared memory. Rows of A, B and C may begin anywhere:
 * if those of B do not begin on 16 bytes, it comes by floats, neighbours by
 * neighbouring lanes.
 *
 * An epilogue is a struct with `void operator()(int row, int col, float v)
 * const`, and the same for float4 v.
 */
#ifndef WB_GEMM_SLAB_CUH
#define WB_GEMM_SLAB_CUH

#include <cuda_pipeline_primitives.h>

#include "gemm.h"
#include "gemm_cluster.cuh"
#include "linear_slice.cuh"

// TM x TN elements per thread: fours of rows 4 * DOWN apart, fours of columns
// 4 * ACROSS apart. BK of k per slice and step.
template <int BM_, int BN_, int TM_, int TN_, int SLICES_, int STAGES_,
          int BK_, int BLOCKS_>
struct slab {
    enum {
        BM = BM_, BN = BN_, TM = TM_, TN = TN_, BK = BK_, SLICES = SLICES_,
        STAGES = STAGES_, BLOCKS = BLOCKS_,
        LANES = 32, DOWN = 8, ACROSS = LANES / DOWN,
        WM = DOWN * TM, WN = ACROSS * TN, // of a warp
        WARPS = BM / WM * (BN / WN),      // of a slice
        IN_SLICE = WARPS * LANES,         // threads
        THREADS = IN_SLICE * SLICES,
        PITCH = BM + 4, // of A's tile: 8 values of k of a row, 8 other banks
        TILES = BK * (PITCH + BN), // floats of a pair of tiles
        RING = STAGES * TILES, RINGS = SLICES * RING,
        SUMS = SLICES * BM * BN,
        ON_CHIP = (RINGS > SUMS ? RINGS : SUMS) * sizeof(float), // bytes
        A_ROWS = IN_SLICE / BK,          // that a slice's threads copy at once
        SWAP = BN % 32 == 0 ? 8 : 4      // fours of sums that change places
    };
    static_assert(BM % WM == 0 && BN % WN == 0, "whole warps' tiles");
    static_assert(IN_SLICE % BK == 0 && BM % A_ROWS == 0,
                  "threads copy whole columns of A's tile");
    static_assert(BN / 4 % SWAP == 0, "fours change places within a row");
};

// What a thread copies of A, and its slice of B, from the next k on.
struct slab_share {
    const float *a, *b;
    int lda, ldb, rows, cols, depth;
};

// One copy of a float or of four; zeros if it does not exist. FULL: it does.
template <bool FULL, int BYTES>
static __device__ __forceinline__ void slab_copy(float *to, const float *from,
                                                 bool exists)
{
    if (FULL)
        __pipeline_memcpy_async(to, from, BYTES);
    else
        __pipeline_memcpy_async(to, from, BYTES, exists ? 0 : BYTES);
}

// Starts the copies of a pair of tiles. FULL: all of it exists.
template <class T, bool WIDE, bool FULL>
static __device__ __forceinline__ void
slab_stage(float *tiles, struct slab_share from, int at)
{
    int a_k = at % T::BK, warp = at / T::LANES, lane = at % T::LANES;
    float *a = tiles + a_k * T::PITCH + at / T::BK;
    float *b = tiles + T::BK * T::PITCH;
    bool deep = a_k < from.depth;

#pragma unroll
    for (int m = 0; m < T::BM; m += T::A_ROWS) {
        slab_copy<FULL, 4>(a + m, from.a, deep && m < from.rows);
        from.a += (size_t)T::A_ROWS * from.lda;
    }
    if (WIDE && T::IN_SLICE % (T::BN / 4) == 0) { // whole rows of B
        const int rows = T::IN_SLICE / (T::BN / 4);
        int k = at / (T::BN / 4), n = at % (T::BN / 4) * 4;

        b += k * T::BN + n;
        from.b += (size_t)k * from.ldb + n;
#pragma unroll
        for (int i = 0; i < T::BK; i += rows) {
            slab_copy<FULL, 16>(b + i * T::BN, from.b,
                                k + i < from.depth && n < from.cols);
            from.b += (size_t)rows * from.ldb;
        }
    } else if (WIDE) {
#pragma unroll
        for (int i = 0; i < T::BK * T::BN / 4; i += T::IN_SLICE) {
            int k = (at + i) / (T::BN / 4), n = (at + i) % (T::BN / 4) * 4;

            if (T::BK * T::BN / 4 % T::IN_SLICE == 0 || k < T::BK)
                slab_copy<FULL, 16>(b + k * T::BN + n,
                                    from.b + (size_t)k * from.ldb + n,
                                    k < from.depth && n < from.cols);
        }
    } else {
        b += warp * T::BN + lane;
        from.b += (size_t)warp * from.ldb + lane;
#pragma unroll
        for (int i = 0; i < T::BK; i += T::WARPS) {
#pragma unroll
            for (int j = 0; j < T::BN; j += T::LANES)
                if ((T::BK % T::WARPS == 0 || i + warp < T::BK) &&
                    (T::BN % T::LANES == 0 || j + lane < T::BN))
                    slab_copy<FULL, 4>(b + i * T::BN + j, from.b + j,
                                       i + warp < from.depth &&
                                           j + lane < from.cols);
            from.b += (size_t)T::WARPS * from.ldb;
        }
    }
}

// The next pair of tiles, with zeros where the matrices or the piece of k end:
// one group. inside: no row or column ends.
template <class T, bool WIDE>
static __device__ __forceinline__ void
slab_next(float *tiles, struct slab_share *from, int at, bool inside)
{
    if (inside && from->depth >= T::BK)
        slab_stage<T, WIDE, true>(tiles, *from, at);
    else
        slab_stage<T, WIDE, false>(tiles, *from, at);
    __pipeline_commit();
    from->a += T::BK;
    from->b += (size_t)T::BK * from->ldb;
    from->depth -= T::BK;
}

// What a thread needs of a value of k.
template <class T>
static __device__ __forceinline__ void slab_fetch(float *a_of, float *b_of,
                                                  const float *a,
                                                  const float *b)
{
#pragma unroll
    for (int i = 0; i < T::TM; i += 4)
        linear_get(a_of + i, a + i * T::DOWN);
#pragma unroll
    for (int j = 0; j < T::TN; j += 4)
        linear_get(b_of + j, b + j * T::ACROSS);
}

// A slice's sums over its piece of k.
template <class T, bool WIDE>
static __device__ __forceinline__ void
slab_multiply(float (*sum)[T::TN], float *ring, struct slab_share from,
              int slice, int at, int t_row, int t_col, bool inside)
{
    float a[2][T::TM], b[2][T::TN]; // for this k and for the next, in turn
    const float *a_at = ring + t_row, *b_at = ring + T::BK * T::PITCH + t_col;
    int now = 0, depth = from.depth;

    for (int i = 0; i < T::STAGES - 1; i++)
        slab_next<T, WIDE>(ring + i * T::TILES, &from, at, inside);
    __pipeline_wait_prior(T::STAGES - 2);
    linear_meet<T>(slice); // the first pair is there
    slab_fetch<T>(a[0], b[0], a_at, b_at);
    for (int first = 0; first < depth; first += T::BK) {
        int free = (now + T::STAGES - 1) % T::STAGES;

#pragma unroll
        for (int k = 0; k < T::BK; k++) {
            int next = (k + 1) % T::BK;

            if (next == 0) {
                __pipeline_wait_prior(T::STAGES - 2);
                linear_meet<T>(slice); // the next pair is there, this is read
                now = (now + 1) % T::STAGES;
            }
            slab_fetch<T>(a[next % 2], b[next % 2],
                          a_at + now * T::TILES + next * T::PITCH,
                          b_at + now * T::TILES + next * T::BN);
            if (k == 0) // `free` was read before the last barrier
                slab_next<T, WIDE>(ring + free * T::TILES, &from, at,
                                   inside);
#pragma unroll
            for (int j = 0; j < T::TN; j++)
#pragma unroll
                for (int ii = 0; ii < T::TM; ii++) {
                    int i = j % 2 ? T::TM - 1 - ii : ii; // down, and up again

                    sum[i][j] += a[k % 2][i] * b[k % 2][j];
                }
        }
    }
    __pipeline_wait_prior(0);
}

// Where on chip the sum of a cell of the tile is: rows whose sums are stored at
// a time differ in row / 4, and pairs of their fours change places by it.
template <class T> static __device__ int slab_place(int row, int col)
{
    int four = col / 4 ^ row / 4 % (T::SWAP / 2) * 2;

    return row * T::BN + four * 4 + col % 4;
}

// Adds what a part has of one cell, or of four, slice by slice.
template <class T, bool WIDE>
static __device__ __forceinline__ void slab_add(float *total, const float *from)
{
#pragma unroll
    for (int slice = 0; slice < T::SLICES; slice++) {
        float four[4];

        if (WIDE)
            linear_get(four, from + slice * T::BM * T::BN);
        else
            four[0] = from[slice * T::BM * T::BN];
#pragma unroll
        for (int e = 0; e < (WIDE ? 4 : 1); e++)
            total[e] += four[e];
    }
}

// The cells of the tile that this block finishes, with all slices' and parts'
// sums, in their order. Some cells' sums are read before any is stored.
template <class T, bool WIDE, class Epilogue>
static __device__ void slab_finish(const float *sums, struct gemm_shape s,
                                   int row0, int col0, int parts,
                                   Epilogue epilogue)
{
    const int step = WIDE ? 4 : 1, at_once = WIDE ? 4 : 8;
    int stride = parts * T::THREADS * step;
    int first =
        ((int)blockIdx.x % parts * T::THREADS + (int)threadIdx.x) * step;

    for (; first < T::BM * T::BN; first += stride * at_once) {
        float total[at_once][4] = {{0.0f}};

        for (int part = 0; part < parts; part++) {
            const float *from =
                parts > 1 ? cluster_address(sums, part) : sums;

#pragma unroll
            for (int n = 0; n < at_once; n++) {
                int i = first + n * stride;

                if (i < T::BM * T::BN)
                    slab_add<T, WIDE>(total[n], from + slab_place<T>(
                                                           i / T::BN,
                                                           i % T::BN));
            }
        }
#pragma unroll
        for (int n = 0; n < at_once; n++) {
            int i = first + n * stride;
            int row = row0 + i / T::BN, col = col0 + i % T::BN;

            if (i >= T::BM * T::BN || row >= s.M || col >= s.N)
                continue;
            if (WIDE)
                epilogue(row, col, make_float4(total[n][0], total[n][1],
                                               total[n][2], total[n][3]));
            else
                epilogue(row, col, total[n][0]);
        }
    }
}

// WIDE: rows of B and C begin on 16 bytes, and N is a multiple of four.
template <class T, bool WIDE, class Epilogue>
static __global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    slab_gemm(const float *A, const float *B, struct gemm_shape s, int parts,
              Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int down = (s.M - 1) / T::BM + 1; // tiles of a column: neighbours share B
    int part = blockIdx.x % parts, tile = blockIdx.x / parts;
    int row0 = tile % down * T::BM, col0 = tile / down * T::BN;
    int slice = threadIdx.x / T::IN_SLICE, at = threadIdx.x % T::IN_SLICE;
    int warp = at / T::LANES, lane = at % T::LANES;
    int t_row = warp / (T::BN / T::WN) * T::WM + lane / 2 % T::DOWN * 4;
    int t_col = warp % (T::BN / T::WN) * T::WN + (lane / 16 * 2 + lane % 2) * 4;
    int steps = (s.K - 1) / T::BK + 1, pieces = parts * T::SLICES;
    int piece = part * T::SLICES + slice;
    int begin = (long long)steps * piece / pieces * T::BK;
    int end = min((long long)s.K,
                  (long long)steps * (piece + 1) / pieces * T::BK);
    int a_row = row0 + at / T::BK;
    struct slab_share from = {
        A + (size_t)a_row * s.lda + begin + at % T::BK,
        B + (size_t)begin * s.ldb + col0, s.lda, s.ldb, s.M - a_row,
        s.N - col0, end - begin};
    float sum[T::TM][T::TN] = {{0.0f}};

    slab_multiply<T, WIDE>(sum, on_chip + slice * T::RING, from, slice, at,
                           t_row, t_col,
                           row0 + T::BM <= s.M && col0 + T::BN <= s.N);
    __syncthreads(); // the rings are read: sums take their place
#pragma unroll
    for (int i = 0; i < T::TM; i++)
#pragma unroll
        for (int j = 0; j < T::TN; j += 4)
            *(float4 *)(on_chip + slice * T::BM * T::BN +
                        slab_place<T>(t_row + i / 4 * 4 * T::DOWN + i % 4,
                                      t_col + j * T::ACROSS)) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2],
                            sum[i][j + 3]);
    if (parts > 1)
        cluster_sync(); // all sums are there
    else
        __syncthreads();
    slab_finish<T, WIDE>(on_chip, s, row0, col0, parts, epilogue);
    if (parts > 1) // no block ends while another reads from it
        cluster_sync();
}

template <class T> static int slab_tiles(struct gemm_shape s)
{
    return ((s.M - 1) / T::BM + 1) * ((s.N - 1) / T::BN + 1);
}

// wide_c: the epilogue can store four neighbours at a time.
template <class T, class Epilogue>
static cudaError_t slab_launch(const float *A, const float *B,
                               struct gemm_shape s, int parts, bool wide_c,
                               Epilogue epilogue, cudaStream_t stream)
{
    bool wide = wide_c && (size_t)B % 16 == 0 && (s.N | s.ldb) % 4 == 0;
    auto kernel = wide ? slab_gemm<T, true, Epilogue>
                       : slab_gemm<T, false, Epilogue>;

    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         T::ON_CHIP);
    return launch_clusters(kernel, parts, slab_tiles<T>(s) * parts, T::THREADS,
                           T::ON_CHIP, stream, A, B, s, parts, epilogue);
}

#endif
