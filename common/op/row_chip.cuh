// SPDX-License-Identifier: MIT
/*
 * row_chip.cuh: a row-wise operation that reads each input once: the row waits
 * in registers between its reduction and its result.
 *
 *   row_chip_run    launches an operation over rows that one block holds
 *   row_twice_run   over rows of any length, which are read twice
 *   chip_fits       whether row_chip_run takes rows of that length
 *   by_block        how the threads of a row put it together: its `start` runs
 *                   once, and `over` gives all of them what they know together
 *
 * An operation is a struct that is passed to the kernel by value, with
 *
 *   element                    the type of its arrays' elements
 *   INPUTS                     arrays that it reads
 *   input(i), output()         the arrays, rows * cols elements each
 *   pad()                      what stands for an element beyond the row
 *   partial                    what threads know of their part of a row: floats
 *   none()                     of no element
 *   add(p, v, at)              adds a vector to partial p. v has elements of
 *                              one input, then those of the next; at is its
 *                              chip_spot
 *   join(p, lanes)             of neighbouring lanes, all of which get it
 *   settle(p)                  from the row's partial what its results need:
 *                              a struct `settled`
 *   finish(v, s, at, out)      results of a vector
 *
 * For example, of each element its share of the row's sum, in fp32:
 *
 *   struct share_of_row {
 *       typedef float element;
 *       struct partial { float sum; };
 *       typedef partial settled;
 *       enum { INPUTS = 1, WIDTH = CHIP_VECTOR / sizeof(element) };
 *       const float *x;
 *       float *y;
 *       __device__ const float *input(int) const { return x; }
 *       __device__ float *output() const { return y; }
 *       static __device__ float pad() { return 0.0f; }
 *       static __device__ partial none() { return {0.0f}; }
 *       template <class Spot>
 *       __device__ void add(partial &p, const float *v, const Spot &) const
 *       {
 *           for (int e = 0; e < WIDTH; e++)
 *               p.sum += v[e];
 *       }
 *       static __device__ partial join(partial p, int lanes)
 *       {
 *           return {chip_sum(p.sum, lanes)};
 *       }
 *       __device__ settled settle(partial p) const { return p; }
 *       template <class Spot>
 *       __device__ void finish(const float *v, settled s, const Spot &,
 *                              float *out) const
 *       {
 *           for (int e = 0; e < WIDTH; e++)
 *               out[e] = v[e] / s.sum;
 *       }
 *   };
 *
 * A row belongs to some lanes of a warp or to a block. No block has a second
 * row: others begin as it ends, and as a multiprocessor holds several at a
 * time, some wait for memory while others compute.
 */
#ifndef WB_ROW_CHIP_CUH
#define WB_ROW_CHIP_CUH

#include "op/row_share.cuh"

enum {
    CHIP_FEW = 64,         // bytes that a thread holds of a short row,
    CHIP_MANY = 128,       // and of others; all inputs together
    CHIP_WARP_BLOCK = 128, // threads of a block whose warps own rows
    CHIP_MOST = 1024       // threads of a block
};

// The lanes of a warp, or the threads of a block, own a row.
struct by_block {
    static __device__ void start() {}
    template <class Op>
    static __device__ typename Op::partial
    over(typename Op::partial p, const struct chip_plan &plan, int turn)
    {
        return plan.lanes ? Op::join(p, plan.lanes)
                          : chip_over_block<Op>(p, turn);
    }
};

template <class Op, bool SHIFTED, int UNITS, class Together>
static __global__ void __launch_bounds__(CHIP_MOST)
row_chip(Op op, struct chip_plan plan)
{
    typedef chip_row<typename Op::element, SHIFTED> row_t;
    enum { INPUTS = Op::INPUTS, WIDTH = row_t::WIDTH };
    chip_place place(plan);
    row_t row(plan, place.group);
    chip_vector<typename Op::element> held[UNITS][INPUTS];
    typename Op::partial p = Op::none();
    float v[INPUTS * WIDTH], out[WIDTH];

#pragma unroll
    for (int i = 0; i < UNITS; i++)
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            if (place.rank + i * place.size < row.count)
                held[i][k] =
                    row.load(op.input(k), place.rank + i * place.size);
    Together::start(); // the loads are on their way
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        int unit = place.rank + i * place.size;
        typename row_t::spot at = row.at(unit);

        if (unit >= row.count)
            break;
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.floats(held[i][k], at, Op::pad(), v + k * WIDTH);
        op.add(p, v, at);
    }

    typename Op::settled settled =
        op.settle(Together::template over<Op>(p, plan, 0));

#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        int unit = place.rank + i * place.size;
        typename row_t::spot at = row.at(unit);

        if (unit >= row.count)
            break;
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.floats(held[i][k], at, Op::pad(), v + k * WIDTH);
        op.finish(v, settled, at, out);
        row.store(op.output(), unit, at, out);
    }
}

// The fewest threads of which each takes `units` vectors: lanes of a warp, else
// whole warps, at most `most` of each block. Blocks are a power of two.
static inline struct chip_plan chip_plan_of(size_t rows, int cols, int width,
                                            int units, int most)
{
    size_t shift = cols % width ? width - 1 : 0;
    size_t vectors = (cols + shift - 1) / width + 1;
    size_t threads = (vectors - 1) / units + 1;
    struct chip_plan plan = {rows, cols, 0, CHIP_WARP_BLOCK, 1, 0};

    if (threads <= CHIP_LANES) {
        for (plan.lanes = 1; (size_t)plan.lanes < threads;)
            plan.lanes *= 2;
        return plan;
    }
    while (threads > (size_t)plan.blocks * most)
        plan.blocks *= 2;
    threads = (threads - 1) / plan.blocks + 1;
    plan.threads =
        (int)((threads + CHIP_LANES - 1) / CHIP_LANES * CHIP_LANES);
    return plan;
}

// Vectors of each input that a thread holds.
template <class Op> static constexpr int chip_units(int bytes)
{
    return bytes / CHIP_VECTOR / Op::INPUTS;
}

template <class Op> static bool chip_fits(int cols)
{
    return chip_plan_of(1, cols, CHIP_VECTOR / sizeof(typename Op::element),
                        chip_units<Op>(CHIP_MANY), CHIP_MOST)
               .blocks == 1;
}

template <class Op, int BYTES>
static cudaError_t chip_launch(Op op, size_t rows, int cols,
                               cudaStream_t stream)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    constexpr int units = chip_units<Op>(BYTES);
    struct chip_plan plan = chip_plan_of(rows, cols, WIDTH, units, CHIP_MOST);
    size_t of_block = plan.lanes ? plan.threads / plan.lanes : 1;
    unsigned blocks = (unsigned)((rows - 1) / of_block + 1);

    if (cols % WIDTH == 0)
        row_chip<Op, false, units, by_block>
            <<<blocks, plan.threads, 0, stream>>>(op, plan);
    else
        row_chip<Op, true, units, by_block>
            <<<blocks, plan.threads, 0, stream>>>(op, plan);
    return cudaGetLastError();
}

// Short rows leave more lanes of a warp for other rows.
template <class Op>
static cudaError_t row_chip_run(Op op, size_t rows, int cols,
                                cudaStream_t stream)
{
    enum { SHORT = 2048 }; // bytes

    return cols * sizeof(typename Op::element) <= SHORT
               ? chip_launch<Op, CHIP_FEW>(op, rows, cols, stream)
               : chip_launch<Op, CHIP_MANY>(op, rows, cols, stream);
}

// A block goes over a row twice. What a row gives to its columns goes to
// `sums`, if op has any: see row_sums.cuh.
template <class Op, bool SHIFTED, class Sums>
static __global__ void __launch_bounds__(CHIP_MOST)
row_twice(Op op, struct chip_plan plan, Sums sums)
{
    typedef chip_row<typename Op::element, SHIFTED> row_t;
    enum { INPUTS = Op::INPUTS, WIDTH = row_t::WIDTH };
    float v[INPUTS * WIDTH], out[WIDTH];
    int turn = 0;

    for (size_t r = blockIdx.x; r < plan.rows; r += gridDim.x, turn ^= 1) {
        row_t row(plan, r);
        typename Op::partial p = Op::none();
        typename Op::settled settled;

#pragma unroll
        for (int pass = 0; pass < 2; pass++) {
            for (int i = threadIdx.x; i < row.count; i += blockDim.x) {
                typename row_t::spot at = row.at(i);

#pragma unroll
                for (int k = 0; k < INPUTS; k++)
                    row.floats(row.load(op.input(k), i), at, Op::pad(),
                               v + k * WIDTH);
                if (pass == 0) {
                    op.add(p, v, at);
                    continue;
                }
                op.finish(v, settled, at, out);
                row.store(op.output(), i, at, out);
                sums.add(op, v, settled, at, r == blockIdx.x);
            }
            if (pass == 0)
                settled = op.settle(chip_over_block<Op>(p, turn));
        }
    }
}

// Nothing is summed over rows.
struct sums_of_nothing {
    template <class Op, class Spot>
    __device__ void add(const Op &, const float *,
                        const typename Op::settled &, const Spot &, bool) const
    {
    }
};

template <class Op, class Sums>
static cudaError_t row_twice_run(Op op, size_t rows, int cols, Sums sums,
                                 unsigned blocks, cudaStream_t stream)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    struct chip_plan plan = {rows, cols, 0, CHIP_MOST, 1, 0};

    if (cols % WIDTH == 0)
        row_twice<Op, false><<<blocks, CHIP_MOST, 0, stream>>>(op, plan, sums);
    else
        row_twice<Op, true><<<blocks, CHIP_MOST, 0, stream>>>(op, plan, sums);
    return cudaGetLastError();
}

#endif
