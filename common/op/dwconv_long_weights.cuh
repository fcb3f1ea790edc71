// SPDX-License-Identifier: MIT
/*
 * dwconv_long_weights.cuh: depthwise convolution with many taps, the weight
 * gradient.
 *
 *   dwconv_long_weight_grad_workspace, dwconv_long_weight_grad
 *
 * The same blocks of 16 x 16 as in dwconv_long.cuh, turned: a thread owns 16
 * taps of one row and goes along time; the lanes of a warp that share the taps
 * add their rows' sums at the end. A channel is cut into parts, sets of rows
 * and stretches of time, where channels and taps are too few to fill the GPU.
 */
#ifndef WB_DWCONV_LONG_WEIGHTS_CUH
#define WB_DWCONV_LONG_WEIGHTS_CUH

#include "op/dwconv_long_tile.cuh"
#include "op/dwconv_parts.cuh"

enum { LONG_STRETCH = 128 }; // groups of time, the least that is cut off

struct long_plan {
    unsigned tiles;     // of taps
    unsigned stretches; // of time
    unsigned items;     // sets of rows x stretches
    unsigned parts;     // that share the items
};

static inline struct long_plan long_plan_for(struct dwconv_shape s,
                                             struct long_shape lanes)
{
    unsigned taps = LONG_WARPS * lanes.along * LONG_GROUP; // per block
    unsigned tiles = (s.K - 1) / taps + 1;
    unsigned stretches = (s.L - 1) / (LONG_STRETCH * LONG_GROUP) + 1;
    unsigned items = ((s.B - 1) / lanes.rows + 1) * stretches;

    return (struct long_plan){tiles, stretches, items,
                              parts_wanted((size_t)s.H * tiles, items)};
}

// What one block works on: a channel, taps from group `first` on, and of one
// set of rows the groups of time [from, to).
struct long_item {
    const float *dy, *x;
    size_t stride; // from row to row
    int rows, first, from, to;
};

static __device__ struct long_item
long_item_for(const float *dy, const float *x, struct dwconv_shape s,
              struct long_shape lanes, struct long_plan plan, int item, int h,
              int first)
{
    int set = item / plan.stretches, stretch = item % plan.stretches;
    size_t stride = (size_t)s.H * s.L;
    size_t begin = set * lanes.rows * stride + (size_t)h * s.L;
    int groups = (s.L - 1) / LONG_GROUP + 1;
    int from = stretch * LONG_STRETCH; // time before the first tap meets no x

    return (struct long_item){
        dy + begin, x + begin, stride,
        min(s.B - set * (int)lanes.rows, (int)lanes.rows), first,
        max(from, first), min(from + LONG_STRETCH, groups)};
}

// Brings the thread's share of a step: LONG_STEP groups of x, and of dy.
static __device__ void long_fill_x(float *ring, unsigned to,
                                   struct long_item it, int group, int length,
                                   struct long_shape lanes)
{
    struct long_share own = long_own_share();

    long_bring_share(ring + to * LONG_PITCH + long_spot(own, lanes.pitch),
                     lanes.pitch, it.x, it.stride, it.rows, lanes.rows, own,
                     group * LONG_GROUP, length);
}

static __device__ void long_fill_dy(float *flat, struct long_item it,
                                    int group, int length,
                                    struct long_shape lanes)
{
    struct long_share own = long_own_share();

    long_bring_share(flat + long_spot(own, LONG_FLAT_PITCH), LONG_FLAT_PITCH,
                     it.dy, it.stride, it.rows, lanes.rows, own,
                     group * LONG_GROUP, length);
}

// Adds one item to the thread's sums.
static __device__ void long_add(float *total, struct long_item it,
                                float *ring, float (*flat)[LONG_FLAT],
                                struct long_shape lanes, int length)
{
    int warp = threadIdx.x / LONG_LANES, lane = threadIdx.x % LONG_LANES;
    int row = lane % lanes.rows, groups = LONG_WARPS * lanes.along;
    int own = warp * lanes.along + lane / lanes.rows; // beyond it.first
    int steps = (it.to - it.from + LONG_STEP - 1) / LONG_STEP;
    int oldest = it.from - it.first - groups; // group of x in the ring
    // Earlier the cells of time lie before the warp's first tap.
    int early = it.first + warp * (int)lanes.along - it.from;
    int start = early > 0 ? early / LONG_STEP : 0;
    unsigned slot = groups - own - 1 + start * LONG_STEP;
    unsigned to = groups + LONG_STEP;
    float sum[LONG_GROUP] = {};
    float newer[LONG_GROUP], older[LONG_GROUP], a[LONG_GROUP];

    if (steps <= 0)
        return;
    __syncthreads(); // the item before is read
    for (int g = 0; g < groups + LONG_STEP; g += LONG_STEP)
        long_fill_x(ring, g, it, oldest + g, length, lanes);
    long_fill_dy(flat[0], it, it.from, length, lanes);
    for (int step = 0; step < steps; step++) {
        int next = (step + 1) * LONG_STEP; // groups on

        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads(); // this step's cells are there, the last one's free
        if (step + 1 < steps) {
            long_fill_x(ring, to, it, oldest + groups + next, length, lanes);
            long_fill_dy(flat[(step + 1) % 2], it, it.from + next, length,
                         lanes);
            to = to + LONG_STEP < lanes.ring ? to + LONG_STEP : 0;
        }
        if (step < start)
            continue;
        if (step == start)
            long_get<false>(older, ring + row * lanes.pitch +
                                       slot * LONG_PITCH);
#pragma unroll
        for (int g = 0; g < LONG_STEP; g++) {
            slot = slot + 1 < lanes.ring ? slot + 1 : 0;
            long_get<false>(a, flat[step % 2] + row * LONG_FLAT_PITCH +
                                   g * LONG_PITCH);
            long_get<false>(newer, ring + row * lanes.pitch +
                                       slot * LONG_PITCH);
            long_block<true>(sum, a, newer, older);
#pragma unroll
            for (int i = 0; i < LONG_GROUP; i++)
                older[i] = newer[i];
        }
        if (step % LONG_SETTLE == LONG_SETTLE - 1)
            long_settle(total, sum);
    }
    long_settle(total, sum);
}

static __global__ void __launch_bounds__(LONG_THREADS, LONG_BLOCKS)
    dwconv_long_weights(const float *dy, const float *x, float *to,
                        struct dwconv_shape s, struct long_shape lanes,
                        struct long_plan plan)
{
    __shared__ __align__(16) float ring[LONG_RING];
    __shared__ __align__(16) float flat[2][LONG_FLAT];

    int tile = blockIdx.x % plan.tiles, h = blockIdx.x / plan.tiles;
    int warp = threadIdx.x / LONG_LANES, lane = threadIdx.x % LONG_LANES;
    int first = tile * LONG_WARPS * lanes.along; // group of taps
    int k = (first + warp * lanes.along + lane / lanes.rows) * LONG_GROUP;
    unsigned begin = blockIdx.y * plan.items / plan.parts;
    unsigned end = (blockIdx.y + 1) * plan.items / plan.parts;
    float total[LONG_GROUP] = {};

    for (unsigned item = begin; item < end; item++)
        long_add(total,
                 long_item_for(dy, x, s, lanes, plan, item, h, first), ring,
                 flat, lanes, s.L);

    to += ((size_t)blockIdx.y * s.H + h) * s.K;
#pragma unroll
    for (int i = 0; i < LONG_GROUP; i++) {
        for (unsigned step = 1; step < lanes.rows; step *= 2)
            total[i] += __shfl_xor_sync(0xffffffffu, total[i], step);
        if (lane % lanes.rows == 0 && k + i < s.K)
            to[k + i] = total[i];
    }
}

static inline size_t
dwconv_long_weight_grad_workspace(struct dwconv_shape shape)
{
    struct long_plan plan = long_plan_for(shape, long_shape_for(shape));

    return plan.parts > 1
               ? sizeof(float) * plan.parts * shape.H * shape.K : 0;
}

// As dwconv_weight_grad of dwconv.h.
static inline cudaError_t
dwconv_long_weight_grad(const float *dy, const float *x, float *dw,
                        struct dwconv_shape s, void *workspace,
                        cudaStream_t stream)
{
    struct long_shape lanes = long_shape_for(s);
    struct long_plan plan = long_plan_for(s, lanes);
    dim3 grid((unsigned)s.H * plan.tiles, plan.parts);
    float *to = plan.parts > 1 ? (float *)workspace : dw;

    dwconv_long_weights<<<grid, LONG_THREADS, 0, stream>>>(dy, x, to, s, lanes,
                                                          plan);
    if (plan.parts > 1)
        parts_total(to, dw, s, plan.parts, stream);
    return cudaGetLastError();
}

#endif
