// SPDX-License-Identifier: MIT
/*
 * linear_loop.cuh: a trial for chapter 20: linear_tile.cuh's product for
 * batches that keep the arithmetic busy, by the loop of chapter 15's last
 * steps.
 *
 *   loop_launch<T>(X, W, s, epilogue)   enqueues one kernel; T: a loop_tile
 *
 * What linear_tile.cuh's loop lacks: while a thread multiplies for one value of
 * k, what it needs for the next comes from shared memory. X is transposed on
 * its way, four bytes at a time. That costs instructions, which such a batch
 * has time for.
 *
 * k is cut into PARTS * SLICES pieces. A slice is some threads of a block, with
 * barriers of its own; a part is a block of a cluster. Sums are added up where
 * they lie, in shared memory, always in the same order.
 */
#ifndef WB_LINEAR_LOOP_CUH
#define WB_LINEAR_LOOP_CUH

/* Without libcu++, which no function here needs: nvcc takes half the time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>
#include <stdio.h>

#include "op/linear_tile.cuh"

// 8 x TN elements per thread. BLOCKS per multiprocessor.
template <int BM_, int BN_, int TN_, int SLICES_, int PARTS_, int STAGES_,
          int BK_, int BLOCKS_>
struct loop_tile {
    enum {
        BM = BM_, BN = BN_, TM = 8, TN = TN_, BK = BK_, SLICES = SLICES_,
        PARTS = PARTS_, STAGES = STAGES_, BLOCKS = BLOCKS_,
        LANES = 32, DOWN = 8, ACROSS = LANES / DOWN,
        WM = DOWN * TM, WN = ACROSS * TN, // of a warp
        IN_SLICE = BM / WM * (BN / WN) * LANES, // threads
        THREADS = IN_SLICE * SLICES,
        PITCH = BM + 4, // of X's tile: 8 values of k of a row, 8 other banks
        TILES = BK * (PITCH + BN), // floats of a pair of tiles
        RINGS = SLICES * STAGES * TILES,
        SUMS = SLICES * BM * BN,
        ON_CHIP = (RINGS > SUMS ? RINGS : SUMS) * sizeof(float), // bytes
        X_ROWS = IN_SLICE / BK, // that a slice's threads copy at once
        W_ROWS = IN_SLICE * 4 / BN,
        EACH = BM * BN / 4 / (PARTS * THREADS) // fours that a thread finishes
    };
    static_assert(BM % WM == 0 && BN % WN == 0, "whole warps' tiles");
    static_assert(IN_SLICE % BK == 0 && BM % X_ROWS == 0,
                  "threads copy whole columns of X's tile");
    static_assert(IN_SLICE * 4 % BN == 0 && BK % W_ROWS == 0,
                  "and whole rows of W's");
    static_assert(EACH * PARTS * THREADS * 4 == BM * BN,
                  "each thread finishes as many elements");
};

// Starts a thread's copies of its slice's pair of tiles; X's is transposed.
template <class T>
static __device__ __forceinline__ void
loop_stage(float *tiles, struct linear_share from, int at, bool inside)
{
    int x_k = at % T::BK, w_k = at * 4 / T::BN;
    float *x_tile = tiles + x_k * T::PITCH + at / T::BK;
    float *w_tile = tiles + T::BK * T::PITCH + at * 4;

#pragma unroll
    for (int m = 0; m < T::BM; m += T::X_ROWS) {
        bool exists = inside || (m < from.rows && x_k < from.depth);

        __pipeline_memcpy_async(x_tile + m, from.x, sizeof(float),
                                exists ? 0 : sizeof(float));
        from.x += (size_t)T::X_ROWS * from.K;
    }
#pragma unroll
    for (int k = 0; k < T::BK; k += T::W_ROWS) {
        linear_copy(w_tile + k * T::BN, from.w,
                    inside ? 4 : k + w_k < from.depth ? from.cols : 0,
                    inside || from.wide_w);
        from.w += (size_t)T::W_ROWS * from.N;
    }
}

// Out of line, lest its registers crowd those of the loop.
template <class T>
static __device__ __noinline__ void
loop_stage_edge(float *tiles, struct linear_share from, int at)
{
    loop_stage<T>(tiles, from, at, false);
}

// The next pair of tiles, with zeros where the matrices or the slice's piece of
// k end: one group.
template <class T>
static __device__ __forceinline__ void
loop_next(float *tiles, struct linear_share *from, int at, bool inside)
{
    if (inside && from->depth >= T::BK)
        loop_stage<T>(tiles, *from, at, true);
    else
        loop_stage_edge<T>(tiles, *from, at);
    __pipeline_commit();
    from->x += T::BK;
    from->w += (size_t)T::BK * from->N;
    from->depth -= T::BK;
}

// What a thread needs of a value of k: x and w are where its first ones lie.
template <class T>
static __device__ __forceinline__ void loop_fetch(float *x_of, float *w_of,
                                                  const float *x,
                                                  const float *w)
{
    for (int i = 0; i < T::TM; i += 4)
        linear_get(x_of + i, x + i * T::DOWN);
    for (int j = 0; j < T::TN; j += 4)
        linear_get(w_of + j, w + j * T::ACROSS);
}

// A slice's sums over its piece of k, from `from` on: rows in fours, 4 * DOWN
// apart, and columns in fours, 4 * ACROSS apart.
template <class T>
static __device__ __forceinline__ void
loop_multiply(float (*sum)[T::TN], float *ring, struct linear_share from,
              int slice, int at, int t_row, int t_col, bool inside)
{
    float x[2][T::TM], w[2][T::TN]; // for this k and for the next, in turn
    const float *x_at = ring + t_row, *w_at = ring + T::BK * T::PITCH + t_col;
    int now = 0, depth = from.depth;

    for (int i = 0; i < T::STAGES - 1; i++)
        loop_next<T>(ring + i * T::TILES, &from, at, inside);
    __pipeline_wait_prior(T::STAGES - 2);
    linear_meet<T>(slice); // the first pair is there
    loop_fetch<T>(x[0], w[0], x_at, w_at);
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
            loop_fetch<T>(x[next % 2], w[next % 2],
                          x_at + now * T::TILES + next * T::PITCH,
                          w_at + now * T::TILES + next * T::BN);
            if (k == 0) // `free` was read before the last barrier
                loop_next<T>(ring + free * T::TILES, &from, at, inside);
#pragma unroll
            for (int j = 0; j < T::TN; j++)
#pragma unroll
                for (int ii = 0; ii < T::TM; ii++) {
                    int i = j % 2 ? T::TM - 1 - ii : ii; // down, and up again

                    sum[i][j] += x[k % 2][i] * w[k % 2][j];
                }
        }
    }
    __pipeline_wait_prior(0);
}

// A part finishes its share of the tile. All reads are under way before the
// first result is stored.
template <class T, class Epilogue>
static __device__ void loop_finish(float *sums, struct linear_shape s, int row0,
                                   int col0, int part, Epilogue epilogue)
{
    cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    float total[T::EACH][4] = {{0.0f}}, four[4];

    if (T::PARTS > 1)
        cluster.sync(); // every slice's sums are there, in every part
    else
        __syncthreads();
#pragma unroll
    for (int n = 0; n < T::EACH; n++)
#pragma unroll
        for (int q = 0; q < T::PARTS; q++)
#pragma unroll
            for (int slice = 0; slice < T::SLICES; slice++) {
                const float *from =
                    T::PARTS > 1 ? cluster.map_shared_rank(sums, q) : sums;

                linear_get(four, from + slice * T::BM * T::BN +
                                     ((n * T::PARTS + part) * T::THREADS +
                                      threadIdx.x) * 4);
                for (int e = 0; e < 4; e++)
                    total[n][e] += four[e];
            }
    if (T::PARTS > 1)
        cluster.barrier_arrive(); // this block has read
#pragma unroll
    for (int n = 0; n < T::EACH; n++) {
        int i = ((n * T::PARTS + part) * T::THREADS + threadIdx.x) * 4;
        int row = row0 + i / T::BN, col = col0 + i % T::BN;

        if (row < s.M && col < s.N)
            epilogue(row, col, total[n], min(4, s.N - col));
    }
    if (T::PARTS > 1)
        cluster.barrier_wait(); // all have read: a block may end
}

template <class T, class Epilogue>
static __global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    loop_kernel(const float *X, const float *W, struct linear_shape s,
                Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int down = (s.M - 1) / T::BM + 1; // tiles of a column: neighbours share W
    int part = blockIdx.x % T::PARTS, tile = blockIdx.x / T::PARTS;
    int row0 = tile % down * T::BM, col0 = tile / down * T::BN;
    int slice = threadIdx.x / T::IN_SLICE, at = threadIdx.x % T::IN_SLICE;
    int warp = at / T::LANES, lane = at % T::LANES;
    int t_row = warp / (T::BN / T::WN) * T::WM + lane / 2 % T::DOWN * 4;
    int t_col = warp % (T::BN / T::WN) * T::WN + (lane / 16 * 2 + lane % 2) * 4;
    int steps = (s.K - 1) / T::BK + 1, piece = part * T::SLICES + slice;
    int begin = steps * piece / (T::SLICES * T::PARTS) * T::BK;
    int end = min(s.K, steps * (piece + 1) / (T::SLICES * T::PARTS) * T::BK);
    int x_row = at / T::BK, w_k = at * 4 / T::BN, w_col = at * 4 % T::BN;
    struct linear_share from = {
        X + (size_t)(row0 + x_row) * s.K + begin + at % T::BK,
        W + (size_t)(begin + w_k) * s.N + col0 + w_col,
        s.K, s.N, s.M - row0 - x_row, s.N - col0 - w_col,
        end - begin, true, s.N % 4 == 0};
    bool inside =
        from.wide_w && row0 + T::BM <= s.M && col0 + T::BN <= s.N;
    float sum[T::TM][T::TN] = {{0.0f}};

    loop_multiply<T>(sum, on_chip + slice * T::STAGES * T::TILES, from, slice,
                     at, t_row, t_col, inside);
    __syncthreads(); // the rings are read: sums take their place
#pragma unroll
    for (int i = 0; i < T::TM; i++)
#pragma unroll
        for (int j = 0; j < T::TN; j += 4)
            *(float4 *)(on_chip + t_col + j * T::ACROSS +
                        (slice * T::BM + t_row + i / 4 * 4 * T::DOWN + i % 4) *
                            T::BN) = make_float4(sum[i][j], sum[i][j + 1],
                                                 sum[i][j + 2], sum[i][j + 3]);
    loop_finish<T>(on_chip, s, row0, col0, part, epilogue);
}

// Says on standard output how many blocks or clusters run at a time, once.
template <class T>
static cudaError_t loop_say(const void *kernel,
                            const cudaLaunchConfig_t *config)
{
    static bool said;
    struct cudaFuncAttributes about;
    int fit = 0;
    cudaError_t error = cudaFuncGetAttributes(&about, kernel);

    if (said || error != cudaSuccess)
        return error;
    said = true;
    if (T::PARTS > 1)
        error = cudaOccupancyMaxActiveClusters(&fit, kernel, config);
    else
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &fit, kernel, T::THREADS, T::ON_CHIP);
    printf("# %u blocks of %d threads, %d registers, %d bytes spilled: %d %s "
           "at a time\n",
           config->gridDim.x, T::THREADS, about.numRegs,
           (int)about.localSizeBytes, fit,
           T::PARTS > 1 ? "clusters" : "per multiprocessor");
    return error;
}

template <class T, class Epilogue>
static cudaError_t loop_launch(const float *X, const float *W,
                               struct linear_shape s, Epilogue epilogue)
{
    const void *kernel = (const void *)loop_kernel<T, Epilogue>;
    void *args[] = {&X, &W, &s, &epilogue};
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config = {};
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::ON_CHIP);

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = T::PARTS;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim =
        dim3(((s.M - 1) / T::BM + 1) * ((s.N - 1) / T::BN + 1) * T::PARTS);
    config.blockDim = dim3(T::THREADS);
    config.dynamicSmemBytes = T::ON_CHIP;
    config.attrs = &cluster;
    config.numAttrs = T::PARTS > 1;
    if (error == cudaSuccess)
        error = loop_say<T>(kernel, &config);
    return error == cudaSuccess ? cudaLaunchKernelExC(&config, kernel, args)
                                : error;
}

#endif
