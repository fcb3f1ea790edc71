// SPDX-License-Identifier: MIT
/*
 * pass.cuh: one pass over tiles of 32 steps with all their channels, for the
 * first and the last layer of the sequence model; arrays (B, H, L), fp32.
 *
 *   pass_tiles    how many tiles there are
 *   pass_blocks   how many blocks to launch, if they stay
 *   tile_pass     the pass: a lane per step, a warp per channel and every
 *                 WARPS-th after it. A block takes tiles gridDim.x apart
 *   over_blocks   the sum of what the blocks left, in a fixed order
 *
 * An Op says what happens, with WARPS per block and PER blocks per
 * multiprocessor, and whether it asks AHEAD. Per channel: param. Per cell: take
 * (loads into a Cell), term (its part of the step's sum, if ACROSS; it may
 * change the Cell, and store), put (stores; parts of its channel's SUMS sums).
 * Per step: settle, which is given the sum over its channels; what it returns,
 * put gets. It also adds to EXTRAS sums over all.
 *
 * The hard idea: AHEAD a thread asks for its cell of the next tile where it has
 * used that of this one, so loads are under way while others wait for a sum.
 * Without it each block is to have one tile. Sums of a channel stay with the
 * block until its end. Channels from KEPT on are taken again, and a block has
 * one tile then.
 */
#ifndef WB_TRAIN_PASS_CUH
#define WB_TRAIN_PASS_CUH

#include "op/dwconv.h"
#include "train/sums.cuh"

enum {
    PASS_STEPS = 32,          // per tile: a warp's lanes
    PASS_KEPT = 128,          // channels in registers
    PASS_TOGETHER = 132       // multiprocessors, on every GPU: a fixed order
};

static __host__ __device__ unsigned pass_tiles(struct dwconv_shape s)
{
    return ((unsigned)s.B * s.L - 1) / PASS_STEPS + 1;
}

// per: blocks that run at the same time on one multiprocessor.
static unsigned pass_blocks(struct dwconv_shape s, unsigned per)
{
    unsigned most = per * PASS_TOGETHER, tiles = pass_tiles(s);

    return s.H > PASS_KEPT || tiles < most ? tiles : most;
}

// The cell of channel 0 at step r of all, or of step 0 if there is no r.
static __device__ unsigned pass_cell(unsigned r, struct dwconv_shape s)
{
    if (r >= (unsigned)s.B * s.L)
        r = 0;
    return r / s.L * s.H * s.L + r % s.L;
}

// What a block leaves: SUMS of each channel, EXTRAS.
template <class Op> static __host__ __device__ unsigned pass_left(int H)
{
    return Op::SUMS * H + Op::EXTRAS;
}

// left: (blocks, pass_left). A thread has params of channels on chip, and cells
// v of channels warp, warp + WARPS, and so on.
template <class Op, int WARPS, int PER>
static __global__ void __launch_bounds__(WARPS * PASS_STEPS, PER)
    tile_pass(const __grid_constant__ Op op, struct dwconv_shape s, float *left)
{
    constexpr int MINE = PASS_KEPT / WARPS, PARTS = Op::SUMS ? Op::SUMS : 1;
    __shared__ float of_warp[2][WARPS][PASS_STEPS];
    __shared__ float2 params[PASS_KEPT];
    int lane = threadIdx.x % PASS_STEPS, warp = threadIdx.x / PASS_STEPS;
    int mine = (s.H - 1 - warp + WARPS) / WARPS; // channels; may pass MINE
    unsigned stride = WARPS * s.L, turn = 0;
    unsigned first = pass_cell(blockIdx.x * PASS_STEPS + lane, s);
    float part[MINE][PARTS] = {}, extra[Op::EXTRAS + 1] = {};
    typename Op::Cell v[MINE] = {};

    for (int h = threadIdx.x; h < PASS_KEPT; h += WARPS * PASS_STEPS)
        params[h] = h < s.H ? op.param(h) : make_float2(0.0f, 0.0f);
    __syncthreads(); // they are there
    left += (size_t)blockIdx.x * pass_left<Op>(s.H);
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (i < mine)
            op.take(first + warp * s.L + i * stride, &v[i]);
    for (unsigned tile = blockIdx.x; tile < pass_tiles(s); tile += gridDim.x) {
        unsigned r = tile * PASS_STEPS + lane;
        unsigned next = pass_cell(r + gridDim.x * PASS_STEPS, s);
        unsigned at = first + warp * s.L, then = next + warp * s.L;
        bool inside = r < (unsigned)s.B * s.L;
        int due = tile + gridDim.x < pass_tiles(s) ? mine : 0; // of the next
        float sum = 0.0f, own;

        if (Op::ACROSS) {
#pragma unroll
            for (int i = 0; i < MINE; i++)
                if (i < mine)
                    sum += op.term(&v[i], params[warp + i * WARPS],
                                   at + i * stride, inside);
#pragma unroll 1
            for (int h = PASS_KEPT + warp; h < s.H; h += WARPS) {
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
            if (Op::AHEAD && i < due)
                op.take(then, &v[i]);
            at += stride;
            then += stride;
        }
#pragma unroll 1
        for (int h = PASS_KEPT + warp; h < s.H; h += WARPS) {
            typename Op::Cell cell;
            float more[PARTS] = {};

            op.take(first + h * s.L, &cell);
            op.term(&cell, op.param(h), first + h * s.L, false);
            if (inside)
                op.put(own, cell, op.param(h), first + h * s.L, more);
            for (int p = 0; p < Op::SUMS; p++) {
                float all = warp_sum(more[p]);

                if (lane == 0)
                    left[p * s.H + h] = all;
            }
        }
        first = next;
    }
#pragma unroll
    for (int i = 0; i < MINE; i++)
        for (int p = 0; p < Op::SUMS; p++) {
            float all = warp_sum(part[i][p]);

            if (lane == 0 && i < mine)
                left[p * s.H + warp + i * WARPS] = all;
        }
    for (int e = 0; e < Op::EXTRAS && warp == 0; e++) {
        float all = warp_sum(extra[e]);

        if (lane == 0)
            left[Op::SUMS * s.H + e] = all;
    }
}

// The sum of column `column` of left, (blocks, columns); thread 0 has it.
static __device__ float over_blocks(const float *left, unsigned blocks,
                                    unsigned column, unsigned columns)
{
    float sum = 0.0f;

    for (unsigned b = threadIdx.x; b < blocks; b += blockDim.x)
        sum += left[(size_t)b * columns + column];
    return block_sum(sum);
}

#endif
