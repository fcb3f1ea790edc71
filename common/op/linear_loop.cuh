// SPDX-License-Identifier: MIT
/*
 * linear_loop.cuh: linear_tile.cuh's product for batches that keep the
 * arithmetic busy, by the loop of chapter 15's last steps.
 *
 *   linear_loop(X, W, s, epilogue, stream)   enqueues one kernel; N is a
 *                                            multiple of 4
 *
 * What linear_tile.cuh's loop lacks: while a thread multiplies for one value of
 * k, what it needs for the next comes from shared memory. X is transposed on
 * its way, four bytes at a time. That costs instructions, which such a batch
 * has time for.
 *
 * k is cut into as many pieces as there are slices. Their sums are added up in
 * shared memory, always in the same order.
 */
#ifndef WB_LINEAR_LOOP_CUH
#define WB_LINEAR_LOOP_CUH

#include "op/linear_slice.cuh"

// What a block computes: TM x TN elements per thread, BK values of k per slice
// and step.
struct loop_tile {
    enum {
        BM = 64, BN = 128, TM = 8, TN = 16, BK = 8, SLICES = 4, STAGES = 4,
        LANES = 32, DOWN = 8, ACROSS = LANES / DOWN,
        WM = DOWN * TM, WN = ACROSS * TN,       // of a warp
        IN_SLICE = BM / WM * (BN / WN) * LANES, // threads
        THREADS = IN_SLICE * SLICES,
        PITCH = BM + 4, // of X's tile: 8 values of k of a row, 8 other banks
        TILES = BK * (PITCH + BN),      // floats of a slice's pair of tiles
        RINGS = SLICES * STAGES * TILES, // floats on chip while multiplying
        SUMS = SLICES * BM * BN,        // and afterwards
        ON_CHIP = (RINGS > SUMS ? RINGS : SUMS) * sizeof(float), // bytes
        AT_ONCE = 4, // fours whose sums a thread reads before it stores one
        X_ROWS = IN_SLICE / BK, // that a slice's threads copy at once
        W_ROWS = IN_SLICE * 4 / BN
    };
    static_assert(BM % WM == 0 && BN % WN == 0, "whole warps' tiles");
    static_assert(IN_SLICE % BK == 0 && BM % X_ROWS == 0,
                  "threads copy whole columns of X's tile");
    static_assert(IN_SLICE * 4 % BN == 0 && BK % W_ROWS == 0,
                  "and whole rows of W's");
};

// Starts a thread's copies of its slice's pair of tiles; X's is transposed.
// `inside`: all of it exists.
static __device__ __forceinline__ void
loop_stage(float *tiles, struct linear_share from, int at, bool inside)
{
    typedef loop_tile T;
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
                    inside ? 4 : k + w_k < from.depth ? from.cols : 0, true);
        from.w += (size_t)T::W_ROWS * from.N;
    }
}

// Out of line, lest its registers crowd those of the loop.
static __device__ __noinline__ void
loop_stage_edge(float *tiles, struct linear_share from, int at)
{
    loop_stage(tiles, from, at, false);
}

// The next pair of tiles, with zeros where the matrices or the slice's piece of
// k end: one group.
static __device__ __forceinline__ void
loop_next(float *tiles, struct linear_share *from, int at, bool inside)
{
    typedef loop_tile T;

    if (inside && from->depth >= T::BK)
        loop_stage(tiles, *from, at, true);
    else
        loop_stage_edge(tiles, *from, at);
    __pipeline_commit();
    from->x += T::BK;
    from->w += (size_t)T::BK * from->N;
    from->depth -= T::BK;
}

// What a thread needs of a value of k: x and w are where its first ones lie.
static __device__ __forceinline__ void
loop_fetch(float *x_of, float *w_of, const float *x, const float *w)
{
    typedef loop_tile T;

#pragma unroll
    for (int i = 0; i < T::TM; i += 4)
        linear_get(x_of + i, x + i * T::DOWN);
#pragma unroll
    for (int j = 0; j < T::TN; j += 4)
        linear_get(w_of + j, w + j * T::ACROSS);
}

// A slice's sums over its piece of k, from `from` on: rows in fours, 4 * DOWN
// apart, and columns in fours, 4 * ACROSS apart.
static __device__ __forceinline__ void
loop_multiply(float (*sum)[loop_tile::TN], float *ring,
              struct linear_share from, int slice, int at, int t_row,
              int t_col, bool inside)
{
    typedef loop_tile T;
    float x[2][T::TM], w[2][T::TN]; // for this k and for the next, in turn
    const float *x_at = ring + t_row, *w_at = ring + T::BK * T::PITCH + t_col;
    int now = 0, depth = from.depth;

    for (int i = 0; i < T::STAGES - 1; i++)
        loop_next(ring + i * T::TILES, &from, at, inside);
    __pipeline_wait_prior(T::STAGES - 2);
    linear_meet<T>(slice); // the first pair is there
    loop_fetch(x[0], w[0], x_at, w_at);
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
            loop_fetch(x[next % 2], w[next % 2],
                       x_at + now * T::TILES + next * T::PITCH,
                       w_at + now * T::TILES + next * T::BN);
            if (k == 0) // `free` was read before the last barrier
                loop_next(ring + free * T::TILES, &from, at, inside);
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

// Where the sums of a row's four lie, in floats from the slice's first on. Rows
// that a warp stores at a time differ in row / 4, and begin in the same bank:
// so pairs of fours change places by it.
static __device__ __forceinline__ int loop_place(int row, int col)
{
    return row * loop_tile::BN + (col ^ row / 4 % 4 * 8);
}

// All slices' sums, and what the epilogue makes of them.
template <class Epilogue>
static __device__ void loop_finish(const float *sums, struct linear_shape s,
                                   int row0, int col0, Epilogue epilogue)
{
    typedef loop_tile T;
    enum { CELLS = T::BM * T::BN, STRIDE = T::THREADS * 4 };
    static_assert(CELLS % (STRIDE * T::AT_ONCE) == 0, "equal shares");

    for (int first = threadIdx.x * 4; first < CELLS;
         first += STRIDE * T::AT_ONCE) {
        float total[T::AT_ONCE][4] = {{0.0f}}, four[4];

#pragma unroll
        for (int n = 0; n < T::AT_ONCE; n++) {
            int i = first + n * STRIDE;
            const float *from = sums + loop_place(i / T::BN, i % T::BN);

#pragma unroll
            for (int slice = 0; slice < T::SLICES; slice++) {
                linear_get(four, from + slice * CELLS);
                for (int e = 0; e < 4; e++)
                    total[n][e] += four[e];
            }
        }
#pragma unroll
        for (int n = 0; n < T::AT_ONCE; n++) {
            int i = first + n * STRIDE;
            int row = row0 + i / T::BN, col = col0 + i % T::BN;

            if (row < s.M && col < s.N)
                epilogue(row, col, total[n], 4);
        }
    }
}

template <class Epilogue>
static __global__ void __launch_bounds__(loop_tile::THREADS)
    loop_kernel(const float *X, const float *W, struct linear_shape s,
                Epilogue epilogue)
{
    typedef loop_tile T;
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int down = (s.M - 1) / T::BM + 1; // tiles of a column: neighbours share W
    int row0 = blockIdx.x % down * T::BM, col0 = blockIdx.x / down * T::BN;
    int slice = threadIdx.x / T::IN_SLICE, at = threadIdx.x % T::IN_SLICE;
    int warp = at / T::LANES, lane = at % T::LANES;
    int t_row = warp / (T::BN / T::WN) * T::WM + lane / 2 % T::DOWN * 4;
    int t_col = warp % (T::BN / T::WN) * T::WN + (lane / 16 * 2 + lane % 2) * 4;
    int steps = (s.K - 1) / T::BK + 1;
    int begin = steps * slice / T::SLICES * T::BK;
    int end = min(s.K, steps * (slice + 1) / T::SLICES * T::BK);
    int x_row = at / T::BK, w_k = at * 4 / T::BN, w_col = at * 4 % T::BN;
    struct linear_share from = {
        X + (size_t)(row0 + x_row) * s.K + begin + at % T::BK,
        W + (size_t)(begin + w_k) * s.N + col0 + w_col,
        s.K, s.N, s.M - row0 - x_row, s.N - col0 - w_col,
        end - begin, false, true};
    bool inside = row0 + T::BM <= s.M && col0 + T::BN <= s.N;
    float sum[T::TM][T::TN] = {{0.0f}};

    loop_multiply(sum, on_chip + slice * T::STAGES * T::TILES, from, slice, at,
                  t_row, t_col, inside);
    __syncthreads(); // the rings are read: sums take their place
#pragma unroll
    for (int i = 0; i < T::TM; i++)
#pragma unroll
        for (int j = 0; j < T::TN; j += 4)
            *(float4 *)(on_chip + slice * T::BM * T::BN +
                        loop_place(t_row + i / 4 * 4 * T::DOWN + i % 4,
                                   t_col + j * T::ACROSS)) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2],
                            sum[i][j + 3]);
    __syncthreads(); // every slice's sums are there
    loop_finish(on_chip, s, row0, col0, epilogue);
}

template <class Epilogue>
static cudaError_t linear_loop(const float *X, const float *W,
                               struct linear_shape s, Epilogue epilogue,
                               cudaStream_t stream)
{
    typedef loop_tile T;
    unsigned down = (s.M - 1) / T::BM + 1, across = (s.N - 1) / T::BN + 1;

    cudaFuncSetAttribute(loop_kernel<Epilogue>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         T::ON_CHIP);
    loop_kernel<<<down * across, T::THREADS, T::ON_CHIP, stream>>>(X, W, s,
                                                                   epilogue);
    return cudaGetLastError();
}

#endif
