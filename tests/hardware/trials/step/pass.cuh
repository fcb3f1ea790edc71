// SPDX-License-Identifier: MIT
/*
 * pass.cuh: one pass over tiles of 32 steps, for the small kernels of a
 * training step; all arrays (B, H, L).
 *
 *   tile_pass     a lane per step, a warp per channel and every WARPS-th after
 *                 it. A block takes tiles gridDim.x apart; what cells add up to
 *                 per channel stays with it until its end
 *   over_blocks   the sums of all blocks
 *
 * An Op says what happens. Per cell: take (loads into a Cell), term (its part
 * of the step's sum), put (stores; parts of its channel's sums). Per step:
 * settle (of the sum over its channels). extra[] adds up what settle gives.
 *
 * With AHEAD a thread asks for its cell of the next tile where it has used that
 * of this one. Channels from KEPT on are taken twice. `run`: tiles that a block
 * takes one after the other.
 */
#ifndef WB_PASS_CUH
#define WB_PASS_CUH

#include "op/dwconv.h"

enum { LANES = 32, KEPT = 128, PARTS = 2, EXTRAS = 2 };
#define ALL_LANES 0xffffffffu

static __host__ __device__ unsigned tiles_of(struct dwconv_shape s)
{
    return ((unsigned)s.B * s.L - 1) / LANES + 1;
}

static __device__ float sum_of_warp(float value)
{
    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

// The cell of channel 0 at step r of all, or of step 0 if there is no r.
static __device__ unsigned cell_of(unsigned r, struct dwconv_shape s)
{
    if (r >= (unsigned)s.B * s.L)
        r = 0;
    return r / s.L * s.H * s.L + r % s.L;
}

// A block's k-th tile: `run` in a row, then as many of each other block.
static __device__ unsigned tile_at(unsigned k, unsigned run)
{
    return (k / run * gridDim.x + blockIdx.x) * run + k % run;
}

// sums: (blocks, PARTS, H); extras: (blocks, EXTRAS).
template <class Op, int WARPS, int PER, bool AHEAD>
static __global__ void __launch_bounds__(WARPS * LANES, PER)
    tile_pass(const __grid_constant__ Op op, struct dwconv_shape s, float *sums,
              float *extras, unsigned run)
{
    constexpr int MINE = KEPT / WARPS;
    __shared__ float of_warp[2][WARPS][LANES];
    __shared__ float2 params[KEPT]; // of channels
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, turn = 0;
    int mine = (s.H - 1 - warp + WARPS) / WARPS; // channels; may pass MINE
    unsigned stride = WARPS * s.L;               // cells between them
    unsigned tiles = tiles_of(s), steps = (unsigned)s.B * s.L;
    unsigned first = cell_of(tile_at(0, run) * LANES + lane, s);
    typename Op::Cell v[MINE] = {};
    float part[MINE][PARTS] = {}, extra[EXTRAS] = {};

    for (int h = threadIdx.x; h < KEPT; h += WARPS * LANES)
        params[h] = h < s.H ? op.param(h) : make_float2(0.0f, 0.0f);
    __syncthreads(); // they are there
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (i < mine)
            op.take(first + warp * s.L + i * stride, &v[i]);
    for (unsigned k = 0, tile = tile_at(0, run), after; tile < tiles;
         k++, tile = after) {
        unsigned r = tile * LANES + lane;
        bool inside = r < steps;
        unsigned next =
            cell_of((after = tile_at(k + 1, run)) * LANES + lane, s);
        unsigned at = first + warp * s.L, then = next + warp * s.L;
        float sum = 0.0f, own;

        if (Op::ACROSS) {
#pragma unroll
            for (int i = 0; i < MINE; i++)
                if (i < mine)
                    sum += op.term(&v[i], params[warp + i * WARPS],
                                   at + i * stride, inside);
#pragma unroll 1
            for (int h = KEPT + warp; h < s.H; h += WARPS) {
                typename Op::Cell cell;

                op.take(first + h * s.L, &cell);
                sum += op.term(&cell, op.param(h), first + h * s.L, inside);
            }
            of_warp[turn][warp][lane] = sum;
            __syncthreads(); // each warp has left its sums
            sum = 0.0f;
#pragma unroll 4
            for (int w = 0; w < WARPS; w++)
                sum += of_warp[turn][w][lane];
            turn ^= 1;
        }
        own = op.settle(sum, inside ? r : 0, inside && warp == 0, extra, s);
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            if (inside && i < mine)
                op.put(own, v[i], params[warp + i * WARPS], at, part[i]);
            if (AHEAD && i < mine && after < tiles)
                op.take(then, &v[i]);
            at += stride;
            then += AHEAD ? stride : 0;
        }
#pragma unroll 1
        for (int h = KEPT + warp; h < s.H; h += WARPS) {
            typename Op::Cell cell;
            float more[PARTS] = {};

            op.take(first + h * s.L, &cell);
            if (Op::ACROSS)
                op.term(&cell, op.param(h), first + h * s.L, inside);
            if (inside)
                op.put(own, cell, op.param(h), first + h * s.L, more);
            for (int p = 0; p < Op::SUMS; p++) {
                float *to = sums + ((size_t)blockIdx.x * PARTS + p) * s.H + h;
                float all = sum_of_warp(more[p]);

                if (lane == 0)
                    *to = k == 0 ? all : *to + all;
            }
        }
        first = next;
        if (!AHEAD && after < tiles)
#pragma unroll
            for (int i = 0; i < MINE; i++, then += stride)
                if (i < mine)
                    op.take(then, &v[i]);
    }
#pragma unroll
    for (int i = 0; i < MINE; i++)
        for (int p = 0; p < Op::SUMS; p++) {
            float all = sum_of_warp(part[i][p]);

            if (lane == 0 && i < mine)
                sums[((size_t)blockIdx.x * PARTS + p) * s.H + warp +
                     i * WARPS] = all;
        }
    for (int e = 0; e < EXTRAS && warp == 0; e++) {
        float all = sum_of_warp(extra[e]);

        if (lane == 0)
            extras[blockIdx.x * EXTRAS + e] = all;
    }
}

// A block per column of (blocks, gridDim.x).
template <int THREADS>
static __global__ void over_blocks(const float *sums, float *to,
                                   unsigned blocks)
{
    __shared__ float of_warp[THREADS / LANES];
    float sum = 0.0f;

    for (unsigned b = threadIdx.x; b < blocks; b += THREADS)
        sum += sums[(size_t)b * gridDim.x + blockIdx.x];
    sum = sum_of_warp(sum);
    if (threadIdx.x % LANES == 0)
        of_warp[threadIdx.x / LANES] = sum;
    __syncthreads(); // each warp has left its sum
    if (threadIdx.x < LANES) {
        sum = threadIdx.x < THREADS / LANES ? of_warp[threadIdx.x] : 0.0f;
        sum = sum_of_warp(sum);
        if (threadIdx.x == 0)
            to[blockIdx.x] = sum;
    }
}

#endif
