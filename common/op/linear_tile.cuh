// SPDX-License-Identifier: MIT
/*
 * linear_tile.cuh: the product X W of a linear layer (linear.h), with an
 * epilogue of the caller's, for batches of any size. Chapter 20's stages share
 * it.
 *
 *   linear_tiles(X, W, s, epilogue, stream)   enqueues one kernel
 *
 * An epilogue is a struct with `void operator()(int row, int col, const float
 * *sum, int count) const`: it is given count (1 to 4) neighbours of a row of
 * X W, from column `col` on. Each element is given once.
 *
 * A block computes BM x BN elements as chapter 15 does: both tiles of the next
 * steps of k come by asynchronous copies while it multiplies. The hard idea is
 * what a small batch needs: few rows make few tiles, too few to keep a GPU
 * busy. So a tile has few columns, and its threads are cut into SLICES, each of
 * which takes every SLICES-th piece of k; at the end they add up in shared
 * memory, in a fixed order. With SLICES times the warps at work, the copies
 * under way cover the memory's latency.
 *
 * X's tile keeps its rows, so that both come 16 bytes at a time; a thread reads
 * four values of k of a row at once. linear_loop.cuh has another loop, for
 * batches that keep the arithmetic busy.
 */
#ifndef WB_LINEAR_TILE_CUH
#define WB_LINEAR_TILE_CUH

#include "op/linear_loop.cuh"

// What a block computes, and with how many threads. TM x TN elements per
// thread, DOWN lanes one below the other, BK values of k per slice and step.
template <int BM_, int BN_, int TM_, int TN_, int DOWN_, int BK_, int SLICES_,
          int STAGES_, int BLOCKS_>
struct linear_tile {
    enum {
        BM = BM_, BN = BN_, TM = TM_, TN = TN_, BK = BK_, SLICES = SLICES_,
        STAGES = STAGES_,
        BLOCKS = BLOCKS_,               // per multiprocessor, at least
        IN_SLICE = BM / TM * (BN / TN), // threads
        THREADS = IN_SLICE * SLICES,
        LANES = IN_SLICE < 32 ? IN_SLICE : 32, // of a warp, in one slice
        DOWN = DOWN_, ACROSS = LANES / DOWN,
        WM = DOWN * TM, WN = ACROSS * TN, // of a warp
        PITCH = BK + 4,                 // of X's tile: 8 rows, 8 other banks
        STEP = SLICES * BK,             // of k, by all slices
        TILES = BM * PITCH + BK * BN,   // floats of a slice's pair of tiles
        RING = STAGES * SLICES * TILES, // floats on chip while multiplying
        SUMS = SLICES * BM * BN,        // and afterwards
        ON_CHIP = (RING > SUMS ? RING : SUMS) * sizeof(float), // bytes
        X_ROWS = IN_SLICE * 4 / BK, // that a slice's threads copy at once
        W_ROWS = IN_SLICE * 4 / BN
    };
    static_assert(BM % WM == 0 && BN % WN == 0, "whole warps' tiles");
    static_assert(IN_SLICE * 4 % BK == 0 && BM * BK % (IN_SLICE * 4) == 0,
                  "threads copy whole fours of X's rows");
    static_assert(IN_SLICE * 4 % BN == 0 && BK % (IN_SLICE * 4 / BN) == 0,
                  "and of W's");
};

// Starts a thread's copies of its slice's pair of tiles. x_tile and w_tile are
// where its first ones go. `inside`: all of it exists.
template <class T>
static __device__ __forceinline__ void
linear_stage(float *x_tile, float *w_tile, struct linear_share from, int x_k,
             int w_k, bool inside)
{
#pragma unroll
    for (int m = 0; m < T::BM; m += T::X_ROWS) {
        linear_copy(x_tile + m * T::PITCH, from.x,
                    inside ? 4 : m < from.rows ? from.depth - x_k : 0,
                    inside || from.wide_x);
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
linear_stage_edge(float *x_tile, float *w_tile, struct linear_share from,
                  int x_k, int w_k)
{
    linear_stage<T>(x_tile, w_tile, from, x_k, w_k, false);
}

// The next pair of tiles, with zeros where the matrices end: one group.
template <class T>
static __device__ __forceinline__ void
linear_next(float *tiles, struct linear_share *from, int at, bool inside)
{
    int x_k = at * 4 % T::BK, w_k = at * 4 / T::BN;
    float *x_tile = tiles + at * 4 / T::BK * T::PITCH + x_k;
    float *w_tile = tiles + T::BM * T::PITCH + at * 4;

    if (inside && from->depth >= T::BK)
        linear_stage<T>(x_tile, w_tile, *from, x_k, w_k, true);
    else
        linear_stage_edge<T>(x_tile, w_tile, *from, x_k, w_k);
    __pipeline_commit();
    from->x += T::STEP;
    from->w += (size_t)T::STEP * from->N;
    from->depth -= T::STEP;
}

// Adds a slice's BK products to the thread's sums: rows t_row, t_row + DOWN ...
// and fours of columns, 4 * ACROSS apart.
template <class T>
static __device__ __forceinline__ void
linear_multiply(float (*sum)[T::TN], const float *x_tile, const float *w_tile)
{
#pragma unroll
    for (int k = 0; k < T::BK; k += 4) {
        float x[T::TM][4];

#pragma unroll
        for (int i = 0; i < T::TM; i++)
            linear_get(x[i], x_tile + i * T::DOWN * T::PITCH + k);
#pragma unroll
        for (int e = 0; e < 4; e++) {
            float w[T::TN];

#pragma unroll
            for (int j = 0; j < T::TN; j += 4)
                linear_get(w + j, w_tile + (k + e) * T::BN + j * T::ACROSS);
#pragma unroll
            for (int j = 0; j < T::TN; j++)
#pragma unroll
                for (int ii = 0; ii < T::TM; ii++) {
                    int i = j % 2 ? T::TM - 1 - ii : ii; // down, and up again

                    sum[i][j] += x[i][e] * w[j];
                }
        }
    }
}

template <class T, class Epilogue>
static __global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    linear_kernel(const float *X, const float *W, struct linear_shape s,
                  Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int down = (s.M - 1) / T::BM + 1; // tiles of a column: neighbours share W
    int row0 = blockIdx.x % down * T::BM, col0 = blockIdx.x / down * T::BN;
    int slice = threadIdx.x / T::IN_SLICE, at = threadIdx.x % T::IN_SLICE;
    int warp = at / T::LANES, lane = at % T::LANES;
    int t_row = warp / (T::BN / T::WN) * T::WM + lane / 2 % T::DOWN;
    int t_col = warp % (T::BN / T::WN) * T::WN +
                (lane / (2 * T::DOWN) * 2 + lane % 2) * 4;
    int x_row = at * 4 / T::BK, x_k = at * 4 % T::BK;
    int w_k = at * 4 / T::BN, w_col = at * 4 % T::BN;
    struct linear_share from = {
        X + (size_t)(row0 + x_row) * s.K + slice * T::BK + x_k,
        W + (size_t)(slice * T::BK + w_k) * s.N + col0 + w_col,
        s.K, s.N, s.M - row0 - x_row, s.N - col0 - w_col,
        s.K - slice * T::BK, s.K % 4 == 0, s.N % 4 == 0};
    bool inside = from.wide_x && from.wide_w && row0 + T::BM <= s.M &&
                  col0 + T::BN <= s.N;
    float *mine = on_chip + slice * T::TILES;
    float sum[T::TM][T::TN] = {{0.0f}};

    for (int i = 0; i < T::STAGES - 1; i++)
        linear_next<T>(mine + i * T::SLICES * T::TILES, &from, at, inside);
    for (int first = 0, now = 0; first < s.K; first += T::STEP) {
        int free = (now + T::STAGES - 1) % T::STAGES;
        const float *tiles = mine + now * T::SLICES * T::TILES;

        __pipeline_wait_prior(T::STAGES - 2);
        linear_meet<T>(slice); // `now` is there, and all have read `free`
        linear_next<T>(mine + free * T::SLICES * T::TILES, &from, at, inside);
        linear_multiply<T>(sum, tiles + t_row * T::PITCH,
                           tiles + T::BM * T::PITCH + t_col);
        now = (now + 1) % T::STAGES;
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // the ring is read: sums take its place
#pragma unroll
    for (int i = 0; i < T::TM; i++)
#pragma unroll
        for (int j = 0; j < T::TN; j += 4)
            *(float4 *)(on_chip +
                        (slice * T::BM + t_row + i * T::DOWN) * T::BN +
                        t_col + j * T::ACROSS) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2],
                            sum[i][j + 3]);
    __syncthreads(); // every slice's sums are there
    linear_finish<T>(on_chip, s, row0, col0, epilogue);
}

template <class T, class Epilogue>
static cudaError_t linear_launch(const float *X, const float *W,
                                 struct linear_shape s, Epilogue epilogue,
                                 cudaStream_t stream)
{
    unsigned down = (s.M - 1) / T::BM + 1, across = (s.N - 1) / T::BN + 1;

    cudaFuncSetAttribute(linear_kernel<T, Epilogue>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         T::ON_CHIP);
    linear_kernel<T><<<down * across, T::THREADS, T::ON_CHIP, stream>>>(
        X, W, s, epilogue);
    return cudaGetLastError();
}

enum { ROW_LANES = 8, ROW_THREADS = 1024, ROW_FLIGHT = 8 };

// One row of X: W is used once, so it goes through registers, and its loads say
// that L2 need not keep it. ROW_LANES lanes share a row of W, 16 bytes each; a
// thread has ROW_FLIGHT rows under way.
template <class Epilogue>
static __global__ void __launch_bounds__(ROW_THREADS)
    linear_row(const float *__restrict__ X, const float4 *__restrict__ W,
               struct linear_shape s, Epilogue epilogue)
{
    enum { ROWS = ROW_THREADS / ROW_LANES }; // of W, that a block reads at once
    __shared__ float4 part[ROWS][ROW_LANES];
    int width = s.N / 4, lane = threadIdx.x % ROW_LANES;
    int row = threadIdx.x / ROW_LANES, col = blockIdx.x * ROW_LANES + lane;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int k = row; k < s.K && col < width; k += ROWS * ROW_FLIGHT) {
        float4 w[ROW_FLIGHT];
        float x[ROW_FLIGHT];

#pragma unroll
        for (int j = 0; j < ROW_FLIGHT; j++) {
            bool exists = k + j * ROWS < s.K;

            w[j] = exists ? __ldcs(W + (size_t)(k + j * ROWS) * width + col)
                          : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            x[j] = exists ? X[k + j * ROWS] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < ROW_FLIGHT; j++) {
            sum.x += x[j] * w[j].x;
            sum.y += x[j] * w[j].y;
            sum.z += x[j] * w[j].z;
            sum.w += x[j] * w[j].w;
        }
    }
    part[row][lane] = sum;
    __syncthreads(); // every row's part is there
    if (threadIdx.x < ROW_LANES * 4 &&
        blockIdx.x * ROW_LANES * 4 + threadIdx.x < s.N) {
        float total = 0.0f;

        for (int i = 0; i < ROWS; i++)
            total += ((const float *)part[i])[threadIdx.x];
        epilogue(0, blockIdx.x * ROW_LANES * 4 + threadIdx.x, &total, 1);
    }
}

// The tile that suits the batch; linear_loop copies W by vectors.
template <class Epilogue>
static cudaError_t linear_tiles(const float *X, const float *W,
                                struct linear_shape s, Epilogue epilogue,
                                cudaStream_t stream)
{
    if (s.M == 1 && s.N % 4 == 0) {
        linear_row<<<(s.N / 4 - 1) / ROW_LANES + 1, ROW_THREADS, 0, stream>>>(
            X, (const float4 *)W, s, epilogue);
        return cudaGetLastError();
    }
    if (s.M <= 16)
        return linear_launch<linear_tile<16, 32, 4, 4, 4, 32, 8, 3, 1>>(
            X, W, s, epilogue, stream);
    if (s.M <= 32)
        return linear_launch<linear_tile<64, 32, 8, 8, 8, 16, 8, 3, 1>>(
            X, W, s, epilogue, stream);
    if (s.M <= 64)
        return linear_launch<linear_tile<32, 64, 8, 8, 4, 16, 8, 3, 1>>(
            X, W, s, epilogue, stream);
    if (s.M <= 128)
        return linear_launch<linear_tile<64, 64, 8, 8, 8, 16, 4, 4, 1>>(
            X, W, s, epilogue, stream);
    if (s.N % 4 == 0)
        return linear_loop(X, W, s, epilogue, stream);
    return linear_launch<linear_tile<64, 128, 8, 8, 8, 32, 2, 4, 1>>(
        X, W, s, epilogue, stream);
}

#endif
