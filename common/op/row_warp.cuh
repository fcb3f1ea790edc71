// SPDX-License-Identifier: MIT
/*
 * row_warp.cuh: row_stream.cuh's operations over rows that one warp holds.
 *
 *   row_warp       the kernel
 *   warp_plan_of   how it is launched for rows of a length; stream_launch
 *                  launches it
 *
 * op/row_long.cuh says which rows are taken so. Each warp of a block has rows
 * and a ring of its own: what its lanes know of a row they tell each other by
 * shuffles, and nobody waits for another warp. Only the sums over rows are put
 * together by the block, once it has done all rows of a class.
 */
#ifndef WB_ROW_WARP_CUH
#define WB_ROW_WARP_CUH

#include "op/row_stream.cuh"

#if ROW_BARRIERS && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
// What a warp knows of a row, in place of stream_known: of two rows, if it
// reduces the next one before this one is settled.
template <class Op, class Way> struct warp_known {
    enum { TWO = (int)Way::LEAD == (int)Way::PIECES };
    typename Op::partial even, odd;

    __device__ void pace(const struct chip_plan &, unsigned) {}
    __device__ void tell(typename Op::partial p, const struct chip_plan &,
                         unsigned turn)
    {
        p = Op::join(p, CHIP_LANES);
        if (TWO && turn & 1)
            odd = p;
        else
            even = p;
    }
    __device__ typename Op::partial ask(const struct chip_plan &,
                                        unsigned turn) const
    {
        return TWO && turn & 1 ? odd : even;
    }
};

// A row of sums per block. Each warp leaves its own in `all`, where no ring is
// in use between two classes.
template <class Thread, class Row>
static __device__ void warp_leave(const Thread &t, const Row &row,
                                  const struct chip_plan &plan, float *all,
                                  float *to)
{
    int warp = threadIdx.x / CHIP_LANES, warps = plan.threads / CHIP_LANES;
    int width = 2 * plan.cols;

    __syncthreads(); // nobody's ring is read any more
    t.leave(row, all + warp * width);
    __syncthreads(); // all have left theirs
    for (int col = threadIdx.x; col < width; col += blockDim.x) {
        float sum = 0.0f;

#pragma unroll 4
        for (int i = 0; i < warps; i++)
            sum += all[i * width + col];
        to[col] = sum;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads(); // they are read: rings may be filled
}
#endif

template <class Op, class Row, class Way>
static __global__ void __launch_bounds__(Way::MOST, Way::BLOCKS)
row_warp(Op op, struct chip_plan plan, int slots, int groups, float *sums)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    typedef stream_thread<Op, Row, Way> thread_t;
    enum { PLACES = Op::INPUTS * thread_t::ring_t::PLACE }; // bytes of a slot
    __shared__ uint64_t here[Way::WARPS][STREAM_SLOTS];
    int warp = threadIdx.x / CHIP_LANES;
    int classes = stream_classes<Op, Row>(plan.cols);
    unsigned turn = 0;
    warp_known<Op, Way> known;
    thread_t t;

    t.ring = {(char *)shared + warp * slots * PLACES, here[warp], slots,
              0, 0, 0, 0, 0, 0, 0};
    if (threadIdx.x % CHIP_LANES == 0)
        for (int i = 0; i < slots; i++)
            bar_init(here[warp] + i, 1);
    __syncwarp(); // barriers are there: they may be waited for
#pragma unroll 1
    for (int c = 0; c < classes; c++) {
        stream_share share(plan, blockIdx.x, groups, c, classes);
        stream_rows mine = share.rows.every(Way::WARPS, warp);
        Row row(plan, share.rows.first);

        if (!share.due)
            continue;
        t.begin(op, plan, mine, row);
        if (mine.count > 0)
            stream_one(t, known, op, plan, mine, turn);
        if (stream_keeps<Op>::SUMS)
            warp_leave(t, row, plan, (float *)shared,
                       sums + (size_t)(blockIdx.x + c) * 2 * plan.cols);
    }
#endif
}

template <class Op, class Row, class Way>
static cudaError_t warp_plan_of(size_t rows, int cols, struct stream_plan *plan)
{
    enum { MOST = Way::DEPTH * Way::PIECES,
           SLOTS = MOST < STREAM_SLOTS ? (int)MOST : (int)STREAM_SLOTS,
           SLOT = Way::WARPS * Op::INPUTS * (Way::PIECE + Row::SKEWED) *
                  CHIP_VECTOR }; // bytes, of all warps
    int classes = stream_classes<Op, Row>(cols);
    size_t room = STREAM_SHARED / Way::BLOCKS, fixed, sums = 0;
    struct cudaFuncAttributes about;
    cudaError_t error;

    plan->kernel = (const void *)row_warp<Op, Row, Way>;
    plan->rows = {rows, cols, 0, Way::MOST, 1, 0};
    if (rows < (size_t)classes || Row::vectors(cols) > Way::OWN)
        return cudaErrorInvalidValue; // stream_share: no class is empty
    if (!ROW_BARRIERS || !cluster_fits(plan->kernel, &plan->rows))
        return cudaErrorInvalidValue;
    if ((error = cudaFuncGetAttributes(&about, plan->kernel)) != cudaSuccess)
        return error;
    fixed = about.sharedSizeBytes + 1024;
    plan->slots = (int)((room - fixed) / SLOT);
    if (plan->slots < Way::LEAST)
        return cudaErrorInvalidValue;
    plan->slots = plan->slots < SLOTS ? plan->slots : SLOTS;
    plan->rows.shared = (size_t)plan->slots * SLOT;
    if (stream_keeps<Op>::SUMS)
        sums = (size_t)Way::WARPS * 2 * cols * sizeof(float);
    if (sums > plan->rows.shared)
        plan->rows.shared = sums;
    plan->abreast = Way::WARPS;
    return stream_groups(plan, about.sharedSizeBytes, rows, classes);
}

#endif
