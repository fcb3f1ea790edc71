// SPDX-License-Identifier: MIT
/*
 * row_chip.cuh: a row-wise operation that reads each input once: rows stay on
 * chip between their reduction and their result.
 *
 *   row_chip_run        launches an operation over rows
 *   row_chip_workspace  bytes that it needs for this
 *
 * An operation is a struct that is passed to the kernel by value, with
 *
 *   element                    the type of its arrays' elements
 *   INPUTS, VECTORS            arrays that it reads; vectors of 16 bytes of
 *                              each that a thread holds
 *   input(i), output()         the arrays, rows * cols elements each
 *   pad()                      what stands for an element beyond the row
 *   partial                    what threads know of their part of a row: floats
 *   local(v, live)             this of a thread's own elements; may change
 *                              them. Bit i of live: v[i] is the row's
 *   join(p, lanes)             of neighbouring lanes, all of which get it
 *   none()                     of no element
 *   settle(own, all)           what every element of a thread needs: a struct
 *                              `settled`
 *   keep(share)                what belongs to a thread's columns, and stays in
 *                              its registers from row to row: a struct `kept`
 *   finish(v, i, settled, kept)   the result for element i
 *   ROUNDS                     rows in turn per thread, at least; 0: as many as
 *                              can be, where keep() costs much
 *
 * With two inputs, v holds HELD elements of the first, then those of the
 * second.
 *
 * A row belongs to some lanes of a warp, to a block, or to several blocks which
 * exchange their parts through global memory; all blocks run at a time, and
 * walk over the rows with a stride.
 *
 * The hard idea: a thread copies its share of the next row into shared memory
 * asynchronously while it works on this row in registers. It reads nothing but
 * what it copied itself, so the copies need no barrier, and memory is never
 * without requests, however long a row's reduction takes. Vectors begin at
 * multiples of 16 bytes wherever the row begins: its first and last vector may
 * hold elements of the neighbouring rows, which are left alone.
 */
#ifndef WB_ROW_CHIP_CUH
#define WB_ROW_CHIP_CUH

#include "op/row_share.cuh"

// One warp of each block of a row: what all blocks know together. A word holds
// a float and a tag that says that it is there.
template <class Op>
static __device__ typename Op::partial
chip_exchange(typename Op::partial p, const struct chip_plan &plan, int own,
              size_t row)
{
    typedef typename Op::partial partial;
    enum { FLOATS = sizeof(partial) / sizeof(float) };
    unsigned long long *words = plan.words + row * plan.parts * FLOATS;
    int lane = threadIdx.x % CHIP_LANES;
    partial all = Op::none();

    for (int f = 0; f < FLOATS; f++)
        if (lane == f)
            chip_tell(words + own * FLOATS + f, ((float *)&p)[f]);
    for (int part = 0; part < plan.parts; part += CHIP_LANES) {
        partial some = Op::none();

        if (part + lane < plan.parts)
            for (int f = 0; f < FLOATS; f++)
                ((float *)&some)[f] =
                    chip_hear(words + (part + lane) * FLOATS + f);
        __syncwarp();
        some = Op::join(some, CHIP_LANES);
        all = lane == 0 ? all : lane == 1 ? some : Op::none();
        all = Op::join(all, CHIP_LANES);
    }
    return all;
}

// All threads of the row get what they know together. `turn` alternates, so
// that a warp which is ahead does not write where others still read.
template <class Op, bool SPLIT>
static __device__ typename Op::partial
chip_merge(typename Op::partial p, const struct chip_plan &plan, int part,
           size_t row, int turn)
{
    typedef typename Op::partial partial;
    __shared__ partial of_warp[2][CHIP_LANES], of_row[2];
    int lane = threadIdx.x % CHIP_LANES, warp = threadIdx.x / CHIP_LANES;

    if (plan.parts == 0)
        return Op::join(p, plan.lanes);
    p = Op::join(p, CHIP_LANES);
    if (lane == 0)
        of_warp[turn][warp] = p;
    __syncthreads(); // of_warp is full: it may be read
    p = lane < (int)blockDim.x / CHIP_LANES ? of_warp[turn][lane] : Op::none();
    p = Op::join(p, CHIP_LANES);
    if (!SPLIT)
        return p;

    if (warp == 0) {
        p = chip_exchange<Op>(p, plan, part, row);
        if (lane == 0)
            of_row[turn] = p;
    }
    __syncthreads(); // of_row is there: it may be read
    return of_row[turn];
}

template <class Op, chip_mode MODE, bool SPLIT>
static __global__ void CHIP_BOUNDS(SPLIT)
row_chip(Op op, struct chip_plan plan)
{
    extern __shared__ uint4 slots[];
    typedef chip_share<Op, MODE> share_t;
    chip_place place(plan);
    size_t first = chip_first_row(plan), step = chip_row_step(plan);
    size_t mine = plan.parts ? 0 : threadIdx.x % CHIP_LANES / plan.lanes;
    typename Op::kept kept = op.keep(share_t(plan, place, first + mine));
    int turn = 0;

    chip_bring<Op, MODE>(op, plan, share_t(plan, place, first + mine), slots);
    for (; first < plan.rows; first += step, turn ^= 1) {
        float v[Op::INPUTS * share_t::HELD];
        share_t share(plan, place, first + mine);

        __pipeline_wait_prior(0);
        chip_take<Op, MODE>(share, slots, v);
        chip_bring<Op, MODE>(
            op, plan, share_t(plan, place, first + step + mine), slots);

        if (share_t::SHIFTED && step % share_t::WIDTH != 0)
            kept = op.keep(share); // its columns are others than before
        typename Op::partial own = op.local(v, share.live_bits());
        typename Op::partial all =
            chip_merge<Op, SPLIT>(own, plan, place.part, first, turn);
        chip_put<Op, MODE>(op, share, v, op.settle(own, all), kept);
    }
}

// A row that all blocks together cannot hold: a block goes over it twice, a
// part at a time.
template <class Op, chip_mode MODE>
static __global__ void CHIP_BOUNDS(true)
row_chip_twice(Op op, struct chip_plan plan)
{
    extern __shared__ uint4 slots[];
    typedef chip_share<Op, MODE> share_t;
    typedef typename Op::partial partial;
    struct chip_plan alone = plan;
    chip_place place(plan);
    partial all = Op::none();

    alone.parts = 1;
    for (int i = 0; i < 2 * plan.parts; i++) {
        float v[Op::INPUTS * share_t::HELD];
        place.rank = i % plan.parts * blockDim.x + threadIdx.x;
        share_t share(plan, place, blockIdx.x);
        int lane = threadIdx.x % CHIP_LANES;

        chip_bring<Op, MODE>(op, plan, share, slots);
        __pipeline_wait_prior(0);
        chip_take<Op, MODE>(share, slots, v);
        partial own = op.local(v, share.live_bits());
        if (i < plan.parts) {
            partial some = chip_merge<Op, false>(own, alone, 0, 0, i % 2);

            some = lane == 0 ? all : lane == 1 ? some : Op::none();
            all = Op::join(some, CHIP_LANES);
        } else
            chip_put<Op, MODE>(op, share, v, op.settle(own, all),
                               op.keep(share));
    }
}

// All blocks of a row wait for each other, so they must run at the same time.
template <class Op, chip_mode MODE>
static cudaError_t chip_launch_split(Op op, struct chip_plan plan,
                                     cudaStream_t stream)
{
    const void *kernel = (const void *)row_chip<Op, MODE, true>;
    size_t bytes = chip_words<typename Op::partial>(plan) * sizeof *plan.words;
    void *args[] = {&op, &plan};
    struct chip_grid grid;
    cudaError_t error = chip_grid_of(kernel, &plan, 0, 2 * CHIP_MOST, &grid);

    if (error != cudaSuccess)
        return error;
    if (grid.blocks == 0) {
        row_chip_twice<Op, MODE>
            <<<(unsigned)plan.rows, plan.threads, plan.shared, stream>>>(op,
                                                                         plan);
        return cudaGetLastError();
    }
    error = cudaMemsetAsync(plan.words, 0, bytes, stream); // no tags yet
    if (error != cudaSuccess)
        return error;
    return cudaLaunchCooperativeKernel(kernel, grid.blocks, plan.threads, args,
                                       plan.shared, stream);
}

template <class Op, chip_mode MODE>
static cudaError_t chip_launch(Op op, size_t rows, int cols, void *workspace,
                               cudaStream_t stream)
{
    struct chip_plan plan = chip_plan_of<Op, MODE>(rows, cols, CHIP_MOST);
    struct chip_grid grid;
    cudaError_t error;

    plan.words = (unsigned long long *)workspace;
    if (plan.parts > 1)
        return chip_launch_split<Op, MODE>(op, plan, stream);
    error = chip_grid_of((const void *)row_chip<Op, MODE, false>, &plan,
                         Op::ROUNDS, 2 * CHIP_MOST, &grid);
    if (error != cudaSuccess)
        return error;
    row_chip<Op, MODE, false>
        <<<grid.blocks, plan.threads, plan.shared, stream>>>(op, plan);
    return cudaGetLastError();
}

template <class Op>
static size_t row_chip_workspace(size_t rows, int cols)
{
    struct chip_plan plan =
        cols % chip_share<Op, CHIP_WHOLE>::WIDTH == 0
            ? chip_plan_of<Op, CHIP_WHOLE>(rows, cols, CHIP_MOST)
            : chip_plan_of<Op, CHIP_SHIFTED>(rows, cols, CHIP_MOST);

    return plan.parts > 1 ? chip_words<typename Op::partial>(plan) *
                                sizeof(unsigned long long)
                          : 0;
}

// Runs the operation over all rows.
template <class Op>
static cudaError_t row_chip_run(Op op, size_t rows, int cols, void *workspace,
                                cudaStream_t stream)
{
    return cols % chip_share<Op, CHIP_WHOLE>::WIDTH == 0
               ? chip_launch<Op, CHIP_WHOLE>(op, rows, cols, workspace, stream)
               : chip_launch<Op, CHIP_SHIFTED>(op, rows, cols, workspace,
                                               stream);
}

#endif
