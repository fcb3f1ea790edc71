// SPDX-License-Identifier: MIT
/*
 * row_sums.cuh: row-wise gradients with two sums over rows for each column.
 *
 *   row_sums_run        launches an operation over rows of any length
 *   row_sums_workspace  bytes that it needs for this
 *
 * Besides what row_chip.cuh asks for, an operation has
 *
 *   collect(v, s, at, a, b)   adds to a[e] and b[e] what a row gives to the
 *                             sums of the column of element e
 *   columns()                 the array, a float per column, that it asks `at`
 *                             for
 *
 * Each block or cluster leaves a row of sums in the workspace, and a second
 * kernel adds these up, always in the same order.
 */
#ifndef WB_ROW_SUMS_CUH
#define WB_ROW_SUMS_CUH

#include "op/row_ring.cuh"

enum {
    SUMS_THREADS = 1024, // of a block that adds up
    SUMS_SLICES = SUMS_THREADS / CHIP_LANES,
    SUMS_ROWS = 16,      // rows that go into one of sums, at least
    SUMS_BLOCKS = 256    // blocks, where rows are read twice
};

// Sums in memory: a row of 2 * cols floats for each block.
struct memory_sums {
    float *rows;
    int cols;

    template <class Op, class Spot>
    __device__ void add(const Op &op, const float *v,
                        const typename Op::settled &s, const Spot &at,
                        bool first) const
    {
        float *to = rows + (size_t)blockIdx.x * 2 * cols + at.col;
        float a[Spot::ELEMENTS], b[Spot::ELEMENTS];

#pragma unroll
        for (int e = 0; e < Spot::ELEMENTS; e++) {
            a[e] = first || !at.has(e) ? 0.0f : to[e];
            b[e] = first || !at.has(e) ? 0.0f : to[cols + e];
        }
        op.collect(v, s, at, a, b);
#pragma unroll
        for (int e = 0; e < Spot::ELEMENTS; e++)
            if (at.has(e)) {
                to[e] = a[e];
                to[cols + e] = b[e];
            }
    }
};

// Column t % 32 of a block's 32 is summed by the threads t with that remainder,
// a slice of the rows each.
static __global__ void row_sums_join(const float *sums, float *a, float *b,
                                     int cols, size_t rows)
{
    __shared__ float of_slice[SUMS_SLICES][CHIP_LANES + 1];
    int lane = threadIdx.x % CHIP_LANES, slice = threadIdx.x / CHIP_LANES;
    size_t width = 2 * (size_t)cols, first = blockIdx.x * (size_t)CHIP_LANES;
    float sum = 0.0f;

    if (first + lane < width)
#pragma unroll 8
        for (size_t i = slice; i < rows; i += SUMS_SLICES)
            sum += sums[i * width + first + lane];
    of_slice[slice][lane] = sum;
    __syncthreads(); // of_slice is full: its columns may be read

    sum = chip_sum(of_slice[lane][slice], CHIP_LANES);
    first += slice;
    if (lane == 0 && first < width)
        *(first < cols ? a + first : b + first - cols) = sum;
}

// How an operation's rows are shared out.
struct sums_plan {
    struct chip_plan of_rows;
    const void *kernel; // NULL: rows are read twice
    size_t rows;        // of sums: one per block or cluster
};

template <class Op, int BYTES, class Together>
static struct sums_plan sums_plan_of(size_t rows, int cols)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    constexpr int units = BYTES / CHIP_VECTOR;
    struct sums_plan plan = {
        chip_plan_of(rows, cols, WIDTH, units, RING_MOST), NULL, 0};

    plan.kernel = cols % WIDTH == 0
                      ? (const void *)row_ring<Op, false, units, Together>
                      : (const void *)row_ring<Op, true, units, Together>;
    if (plan.of_rows.lanes)
        plan.of_rows.threads = RING_BLOCK;
    plan.of_rows.shared = (size_t)plan.of_rows.threads * Op::INPUTS *
                          CHIP_VECTOR * (units + ring_ahead(units));
    return plan;
}

// Blocks or clusters that run at a time. 0: this card has no clusters, or a
// block of it too little shared memory.
static inline cudaError_t sums_groups(const struct sums_plan *plan, size_t *fit)
{
    int room = 0;
    cudaError_t error;

    *fit = 0;
    if (plan->of_rows.blocks > 1 && !cluster_fits(plan->kernel, &plan->of_rows))
        return cudaSuccess;
    error = shared_room(plan->kernel, &room);
    if (error != cudaSuccess || (int)plan->of_rows.shared > room)
        return error;
    return cluster_groups(plan->kernel, &plan->of_rows, fit);
}

template <class Op>
static cudaError_t sums_plan_choose(size_t rows, int cols,
                                    struct sums_plan *plan)
{
    size_t most, groups = 1, steady = RING_STEADY;
    cudaError_t error;

    *plan = sums_plan_of<Op, RING_FEW, by_block>(rows, cols);
    if (plan->of_rows.blocks > 1)
        *plan = sums_plan_of<Op, RING_FEW, by_cluster>(rows, cols);
    if (plan->of_rows.blocks > CLUSTER_MOST)
        *plan = sums_plan_of<Op, RING_MANY, by_cluster>(rows, cols);
    error = sums_groups(plan, &most);
    if (most == 0) {
        plan->kernel = NULL;
        most = SUMS_BLOCKS;
    }
    if (plan->of_rows.lanes)
        groups = plan->of_rows.threads / plan->of_rows.lanes;
    if (plan->of_rows.blocks > 1) // few clusters fit: none may be left out
        steady = cols % Op::WIDTH ? Op::WIDTH : 1;
    groups = (rows - 1) / groups + 1;
    most = most < groups / SUMS_ROWS ? most : groups / SUMS_ROWS;
    most = most < steady ? steady : most - most % steady;
    plan->rows = groups < most ? groups : most;
    return error;
}

// The same, of the last call with such arguments: to plan takes the host longer
// than to launch.
template <class Op>
static cudaError_t sums_plan_for(size_t rows, int cols, struct sums_plan *plan)
{
    static thread_local struct {
        size_t rows; // 0: no plan
        int cols, device;
        struct sums_plan plan;
    } last;
    int device;
    cudaError_t error = cudaGetDevice(&device);

    if (error != cudaSuccess)
        return error;
    if (last.rows != rows || last.cols != cols || last.device != device) {
        last.rows = 0;
        error = sums_plan_choose<Op>(rows, cols, &last.plan);
        if (error != cudaSuccess)
            return error;
        last.rows = rows;
        last.cols = cols;
        last.device = device;
    }
    *plan = last.plan;
    return cudaSuccess;
}

template <class Op> static size_t row_sums_workspace(size_t rows, int cols)
{
    struct sums_plan plan;
    struct stream_plan streams;

    if (long_plan<Op>(rows, cols, &streams))
        return (size_t)streams.sums * 2 * cols * sizeof(float);
    if (sums_plan_for<Op>(rows, cols, &plan) != cudaSuccess)
        return 0; // row_sums_run says why
    return plan.rows * 2 * cols * sizeof(float);
}

// Runs the operation over all rows; a and b get its sums over rows.
template <class Op>
static cudaError_t row_sums_run(Op op, float *a, float *b, size_t rows,
                                int cols, void *workspace, cudaStream_t stream)
{
    struct sums_plan plan;
    struct stream_plan streams;
    float *sums = (float *)workspace;
    void *args[] = {&op, &plan.of_rows, &sums};
    bool stay = long_plan<Op>(rows, cols, &streams);
    cudaError_t error =
        stay ? stream_launch(op, streams, sums, stream)
             : sums_plan_for<Op>(rows, cols, &plan);

    if (error != cudaSuccess)
        return error;
    if (stay)
        plan.rows = streams.sums;
    else if (plan.kernel)
        error = cluster_launch(plan.kernel, &plan.of_rows, plan.rows, args,
                               stream);
    else
        error = row_twice_run(op, rows, cols, memory_sums{sums, cols},
                              (unsigned)plan.rows, stream);
    if (error != cudaSuccess)
        return error;
    row_sums_join<<<(unsigned)((2 * (size_t)cols - 1) / CHIP_LANES + 1),
                    SUMS_THREADS, 0, stream>>>(sums, a, b, cols, plan.rows);
    return cudaGetLastError();
}

#endif
