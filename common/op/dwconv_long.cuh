// SPDX-License-Identifier: MIT
/*
 * dwconv_long.cuh: depthwise convolution with many taps, forward and input
 * gradient; dwconv_long_weights.cuh has the third path.
 *
 *   dwconv_long_forward, dwconv_long_input_grad
 *
 * A block owns a channel, up to 32 rows of it, and a tile of time; its threads
 * own 16 outputs each. Taps come 32 at a time; with each step the cells of x
 * that they meet move 32 into the past, so 32 cells per row arrive while the
 * ones before are multiplied. The ring in shared memory holds what a step
 * meets, and the step to come.
 *
 * The hard idea: the input gradient is the same sum with time reversed. BACK
 * counts time from the row's end; in memory nothing is turned round but the
 * order in which sixteen cells are named as they enter registers.
 */
#ifndef WB_DWCONV_LONG_CUH
#define WB_DWCONV_LONG_CUH

#include "op/dwconv_long_tile.cuh"

// Where a ring's group stands. Backwards, the ring is turned round, so that
// neighbouring cells are neighbours in memory.
template <bool BACK>
static __device__ unsigned long_place(unsigned group, struct long_shape lanes)
{
    return (BACK ? lanes.ring - 1 - group : group) * LONG_PITCH;
}

// The rows of x that a block reads, and the thread's share of each step.
struct long_rows {
    const float *x;
    size_t stride; // from row to row
    int rows, length;
    struct long_share own;
};

// Brings LONG_STEP groups of all rows, from group `first` of the sequence on,
// into the ring, from its group `to` on.
template <bool BACK>
static __device__ void long_fill(float *ring, unsigned to, struct long_rows r,
                                 int first, struct long_shape lanes)
{
    int begin = first * LONG_GROUP;

    if (BACK)
        begin = r.length - begin - LONG_STEP * LONG_GROUP;
    long_bring_share(
        ring + long_place<BACK>(BACK ? to + LONG_STEP - 1 : to, lanes) +
            long_spot(r.own, lanes.pitch),
        lanes.pitch, r.x, r.stride, r.rows, lanes.rows, r.own, begin,
        r.length);
}

// Brings LONG_STEP groups of taps, from group `first` on.
static __device__ void long_fill_taps(float *taps, const float *w, int first,
                                      int length, struct long_share own)
{
    if (own.row == 0)
        long_bring(taps + long_spot(own, 0), w,
                   first * LONG_GROUP + own.column, length, true);
}

// Sixteen outputs, from `t` of the row's `length` on.
template <bool BACK>
static __device__ void long_store(float *y, const float *sum, int t,
                                  int length)
{
    if (length % LONG_QUAD == 0) {
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i += LONG_QUAD)
            if (t + i < length)
                *(float4 *)(y + (BACK ? length - LONG_QUAD - t - i : t + i)) =
                    BACK ? make_float4(sum[i + 3], sum[i + 2], sum[i + 1],
                                       sum[i])
                         : make_float4(sum[i], sum[i + 1], sum[i + 2],
                                       sum[i + 3]);
    } else {
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++)
            if (t + i < length)
                y[BACK ? length - 1 - t - i : t + i] = sum[i];
    }
}

template <bool BACK>
static __global__ void __launch_bounds__(LONG_THREADS, LONG_BLOCKS)
    dwconv_long(const float *x, const float *w, float *y,
                struct dwconv_shape s, struct long_shape lanes, int tiles)
{
    __shared__ __align__(16) float ring[LONG_RING];
    __shared__ __align__(16) float taps[2][LONG_STEP * LONG_PITCH];

    int sets = (s.B - 1) / (int)lanes.rows + 1; // of rows
    int tile = tiles - 1 - blockIdx.x % tiles;  // the longest first
    int set = blockIdx.x / tiles % sets, h = blockIdx.x / tiles / sets;
    int warp = threadIdx.x / LONG_LANES, lane = threadIdx.x % LONG_LANES;
    int row = lane % lanes.rows, groups = LONG_WARPS * lanes.along;
    int first = tile * groups; // the block's first group of outputs
    int own = first + warp * lanes.along + lane / lanes.rows;
    int last = first + warp * lanes.along + lanes.along - 1; // the warp's
    bool beyond = (last + 1 - (int)lanes.along) * LONG_GROUP >= s.L;
    int most = min((s.K - 1) / LONG_GROUP + 1, first + groups);
    int steps = (most - 1) / LONG_STEP + 1;
    size_t stride = (size_t)s.H * s.L;
    size_t begin = set * lanes.rows * stride + (size_t)h * s.L;
    struct long_rows rows = {x + begin, stride,
                             min(s.B - set * (int)lanes.rows, (int)lanes.rows),
                             s.L, long_own_share()};
    unsigned slot = own - first + 2 * LONG_STEP, to = 0; // in the ring
    float sum[LONG_GROUP] = {}, total[LONG_GROUP] = {};
    float newer[LONG_GROUP], older[LONG_GROUP], a[LONG_GROUP];

    w += (size_t)h * s.K;
    for (int g = 0; g < groups + LONG_STEP; g += LONG_STEP)
        long_fill<BACK>(ring, LONG_STEP + g, rows, first - LONG_STEP + g,
                        lanes);
    long_fill_taps(taps[0], w, 0, s.K, rows.own);

    for (int step = 0; step < steps; step++) {
        int k = step * LONG_STEP; // groups of taps before

        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads(); // this step's cells are there, the last one's free
        if (step + 1 < steps) {
            long_fill<BACK>(ring, to, rows, first - k - 2 * LONG_STEP, lanes);
            long_fill_taps(taps[(step + 1) % 2], w, k + LONG_STEP, s.K,
                           rows.own);
            to = to > 0 ? to - LONG_STEP : lanes.ring - LONG_STEP;
        }
        if (k > last || beyond)
            continue; // these taps reach no cell that these outputs meet
        if (step == 0)
            long_get<BACK>(newer, ring + row * lanes.pitch +
                                      long_place<BACK>(slot, lanes));
#pragma unroll
        for (int g = 0; g < LONG_STEP; g++) {
            slot = slot > 0 ? slot - 1 : lanes.ring - 1;
            long_get<false>(a, taps[step % 2] + g * LONG_PITCH);
            long_get<BACK>(older, ring + row * lanes.pitch +
                                      long_place<BACK>(slot, lanes));
            long_block<false>(sum, a, newer, older);
#pragma unroll
            for (int i = 0; i < LONG_GROUP; i++)
                newer[i] = older[i];
        }
        if (step % LONG_SETTLE == LONG_SETTLE - 1)
            long_settle(total, sum);
    }
    long_settle(total, sum);
    if (row < rows.rows)
        long_store<BACK>(y + begin + row * stride, total, own * LONG_GROUP,
                         s.L);
}

template <bool BACK>
static cudaError_t long_launch(const float *x, const float *w, float *y,
                               struct dwconv_shape s, cudaStream_t stream)
{
    struct long_shape lanes = long_shape_for(s);
    int cells = LONG_WARPS * lanes.along * LONG_GROUP; // of time, per block
    int tiles = (s.L - 1) / cells + 1, sets = (s.B - 1) / lanes.rows + 1;

    dwconv_long<BACK><<<(unsigned)tiles * sets * s.H, LONG_THREADS, 0,
                        stream>>>(x, w, y, s, lanes, tiles);
    return cudaGetLastError();
}

// As dwconv_forward and dwconv_input_grad of dwconv.h, without a workspace.
// Templates, so that a stage compiles the path that it calls and no other.
template <typename Shape>
static cudaError_t dwconv_long_forward(const float *x, const float *w,
                                       float *y, Shape shape,
                                       cudaStream_t stream)
{
    return long_launch<false>(x, w, y, shape, stream);
}

template <typename Shape>
static cudaError_t dwconv_long_input_grad(const float *dy, const float *w,
                                          float *dx, Shape shape,
                                          cudaStream_t stream)
{
    return long_launch<true>(dy, w, dx, shape, stream);
}

#endif
