// SPDX-License-Identifier: MIT
/*
 * row_sums.cuh: row_chip.cuh's scheme for gradients of normalisations: two
 * reductions per row, and two sums over rows for each column.
 *
 *   row_sums_run        launches an operation over rows
 *   row_sums_workspace  bytes that it needs for this
 *
 * An operation has what row_chip.cuh's has, but for join, none, partial and
 * settle; instead
 *
 *   first, second       types with partial, none() and join(p, lanes)
 *   local(v, live)      first::partial of a thread's own elements
 *   again(v, p, kept, live, a, b)   second::partial, where p is the row's
 *                       first; may change v; adds to a[i] and b[i] what is
 *                       summed over rows for v[i]'s column
 *   settle(p, q)        from the row's first and second
 *   sums                floats of the workspace, set by row_sums_run
 *
 * The hard idea: a thread keeps its columns from row to row, so their sums stay
 * in its registers until its last row. Rows of odd length begin elsewhere in a
 * vector each time; CHIP_STEADY rows further they begin at the same place
 * again, so that is how far apart a thread's rows lie, or a multiple. Each
 * chain of such rows leaves a row of sums in the workspace, and a second kernel
 * adds these up.
 */
#ifndef WB_ROW_SUMS_CUH
#define WB_ROW_SUMS_CUH

#include "op/row_chip.cuh"

enum {
    SUMS_THREADS = 1024, // of a block that adds up
    SUMS_SLICES = SUMS_THREADS / CHIP_LANES
};

struct sums_plan {
    struct chip_plan first, second; // the same but for the words
    struct chip_grid grid;
    size_t chains; // of rows, and rows of sums
};

template <class Op, chip_mode MODE, bool SPLIT>
static __global__ void __launch_bounds__(CHIP_MOST, 1)
row_sums(Op op, struct sums_plan sums)
{
    extern __shared__ uint4 slots[];
    typedef chip_share<Op, MODE> share_t;
    enum { HELD = share_t::HELD };
    const struct chip_plan &plan = sums.first;
    chip_place place(plan);
    size_t mine = plan.parts ? 0 : threadIdx.x % CHIP_LANES / plan.lanes;
    size_t step = chip_row_step(plan);
    int turn = 0;

    for (size_t start = chip_first_row(plan); start < sums.chains;
         start += step) {
        share_t place_of(plan, place, start + mine);
        typename Op::kept kept = op.keep(place_of);
        float a[HELD] = {0.0f}, b[HELD] = {0.0f};

        chip_bring<Op, MODE>(op, plan, place_of, slots);
        for (size_t row = start; row < plan.rows;
             row += sums.chains, turn ^= 1) {
            float v[Op::INPUTS * HELD];
            share_t share(plan, place, row + mine);
            unsigned live = share.live_bits();

            __pipeline_wait_prior(0);
            chip_take<Op, MODE>(share, slots, v);
            chip_bring<Op, MODE>(
                op, plan, share_t(plan, place, row + sums.chains + mine),
                slots);
            typename Op::first::partial p =
                chip_merge<typename Op::first, SPLIT>(
                    op.local(v, live), plan, place.part, row, turn);
            typename Op::second::partial q =
                chip_merge<typename Op::second, SPLIT>(
                    op.again(v, p, kept, live, a, b), sums.second, place.part,
                    row, turn);
            chip_put<Op, MODE>(op, share, v, op.settle(p, q), kept);
        }
        float *to = op.sums + (start + mine) * 2 * plan.cols;

        chip_put_columns(place_of, a, to);
        chip_put_columns(place_of, b, to + plan.cols);
        __pipeline_wait_prior(0);
    }
}

// Column t % 32 of a block's 32 is summed by the threads t with that remainder,
// a slice of the rows each.
static __global__ void row_sums_join(const float *sums, float *a, float *b,
                                     int cols, size_t chains)
{
    __shared__ float of_slice[SUMS_SLICES][CHIP_LANES + 1];
    int lane = threadIdx.x % CHIP_LANES, slice = threadIdx.x / CHIP_LANES;
    size_t width = 2 * (size_t)cols, first = blockIdx.x * (size_t)CHIP_LANES;
    float sum = 0.0f;

    if (first + lane < width)
#pragma unroll 8
        for (size_t i = slice; i < chains; i += SUMS_SLICES)
            sum += sums[i * width + first + lane];
    of_slice[slice][lane] = sum;
    __syncthreads(); // of_slice is full: its columns may be read

    sum = chip_sum(of_slice[lane][slice], CHIP_LANES);
    first += slice;
    if (lane == 0 && first < width)
        *(first < cols ? a + first : b + first - cols) = sum;
}

template <class Op, chip_mode MODE>
static cudaError_t sums_plan_of(size_t rows, int cols, struct sums_plan *plan)
{
    cudaError_t error;

    plan->first = plan->second = chip_plan_of<Op, MODE>(rows, cols, CHIP_MOST);
    error = chip_grid_of(plan->first.parts > 1
                             ? (const void *)row_sums<Op, MODE, true>
                             : (const void *)row_sums<Op, MODE, false>,
                         &plan->first, 0, CHIP_MOST, &plan->grid);
    plan->chains = plan->grid.rows;
    if (plan->chains < CHIP_STEADY)
        plan->chains = CHIP_STEADY;
    if (plan->chains > rows)
        plan->chains = rows;
    return error;
}

template <class Op> static size_t sums_words(const struct sums_plan &plan)
{
    return plan.first.parts > 1
               ? chip_words<typename Op::first::partial>(plan.first) +
                     chip_words<typename Op::second::partial>(plan.first)
               : 0;
}

template <class Op, chip_mode MODE>
static cudaError_t sums_launch(Op op, float *a, float *b, size_t rows, int cols,
                               void *workspace, cudaStream_t stream)
{
    struct sums_plan plan;
    cudaError_t error = sums_plan_of<Op, MODE>(rows, cols, &plan);
    size_t words = sums_words<Op>(plan);
    void *args[] = {&op, &plan};
    bool split = plan.first.parts > 1;

    if (error == cudaSuccess && plan.grid.blocks == 0)
        error = cudaErrorInvalidValue; // no GPU holds rows of that length
    if (error != cudaSuccess)
        return error;
    plan.first.words = (unsigned long long *)workspace;
    plan.second.words =
        plan.first.words + chip_words<typename Op::first::partial>(plan.first);
    op.sums = (float *)(plan.first.words + words);
    if (words)
        error = cudaMemsetAsync(workspace, 0, words * sizeof *plan.first.words,
                                stream); // no tags yet
    if (error == cudaSuccess && split)
        error = cudaLaunchCooperativeKernel(
            (const void *)row_sums<Op, MODE, true>, plan.grid.blocks,
            plan.first.threads, args, plan.first.shared, stream);
    else if (error == cudaSuccess)
        row_sums<Op, MODE, false><<<plan.grid.blocks, plan.first.threads,
                                    plan.first.shared, stream>>>(op, plan);
    if (error == cudaSuccess)
        row_sums_join<<<(unsigned)((2 * (size_t)cols - 1) / CHIP_LANES + 1),
                        SUMS_THREADS, 0, stream>>>(op.sums, a, b, cols,
                                                   plan.chains);
    return error == cudaSuccess ? cudaGetLastError() : error;
}

// Runs the operation over all rows; a and b get its sums over rows.
template <class Op>
static cudaError_t row_sums_run(Op op, float *a, float *b, size_t rows,
                                int cols, void *workspace, cudaStream_t stream)
{
    return cols % chip_share<Op, CHIP_WHOLE>::WIDTH == 0
               ? sums_launch<Op, CHIP_WHOLE>(op, a, b, rows, cols, workspace,
                                             stream)
               : sums_launch<Op, CHIP_SHIFTED>(op, a, b, rows, cols, workspace,
                                               stream);
}

template <class Op> static size_t row_sums_workspace(size_t rows, int cols)
{
    struct sums_plan plan;
    cudaError_t error = cols % chip_share<Op, CHIP_WHOLE>::WIDTH == 0
                            ? sums_plan_of<Op, CHIP_WHOLE>(rows, cols, &plan)
                            : sums_plan_of<Op, CHIP_SHIFTED>(rows, cols, &plan);

    if (error != cudaSuccess)
        return 0; // row_sums_run says why
    return sums_words<Op>(plan) * sizeof(unsigned long long) +
           plan.chains * 2 * cols * sizeof(float);
}

#endif
