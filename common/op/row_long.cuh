// SPDX-License-Identifier: MIT
/*
 * row_long.cuh: which rows stream through shared memory (row_stream.cuh).
 *
 *   stream_rules   from how many columns on, for each kind of operation
 *   bulk_takes     do rows of this length come by bulk copies (row_bulk.cuh)?
 *   long_plan      makes the launch of an operation, if its rows are to stream
 *
 * The rules are what an H200 measured with 512 MiB per array, and an H100 for
 * odd lengths: the NOTES.md of solution 21 has the tables. Elsewhere a block or
 * a cluster per row is as fast or faster. Blocks that stay need rows to stay
 * for: with fewer than two for each group of blocks, nothing streams.
 */
#ifndef WB_ROW_LONG_CUH
#define WB_ROW_LONG_CUH

#include "op/row_stream.cuh"

enum {
    LONG_NEVER = 1 << 30, // columns
    LONG_ROWS = 2         // per group of blocks, at least
};

// Rows stream from `even` columns on, and from `odd` if a row is no multiple of
// a vector; from `even_wide` or `odd_wide` on with more columns per thread. Odd
// ones from `bulk` to `bulk_end` that do not stream come by bulk copies.
struct stream_rule {
    int even, odd, even_wide, odd_wide, bulk, bulk_end;
};

// An operation is told by its arrays: softmax, its gradient, layer norm and the
// gradient of that.
template <class Op> static constexpr stream_rule stream_rules()
{
    constexpr bool half = sizeof(typename Op::element) == 2;
    constexpr int never = LONG_NEVER;

    if (stream_keeps<Op>::SUMS)
        return half ? stream_rule{32768, 1000, never, 131072, never, 0}
                    : stream_rule{16384, 4096, never, 131072, never, 0};
    if (stream_keeps<Op>::KEPT)
        return half ? stream_rule{never, never, never, never, 1000, never}
                    : stream_rule{32768, never, never, never, 16384, never};
    if (Op::INPUTS > 1)
        return half ? stream_rule{never, 131072, never, 131072, never, 0}
                    : stream_rule{131072, 65536, 131072, 131072, 8000, never};
    return half ? stream_rule{131072, 131072, never, never, 1000, 32768}
                : stream_rule{131072, 131072, 131072, never, 16384, never};
}

// Vectors that hold so many columns.
template <class Op> static constexpr int long_units(int columns)
{
    return columns * (int)sizeof(typename Op::element) / CHIP_VECTOR;
}

// What threads take of rows. A row of odd length may have one vector more than
// its columns fill, for which there are more threads, or one more per thread.
template <class Op, bool SHIFTED, bool WIDE, bool KEPT, bool SUMS>
struct long_way { // neither kept columns nor sums
    enum {
        MOST = SHIFTED ? 544 : 512,
        VECTORS = long_units<Op>(WIDE ? 64 : 32) / Op::INPUTS,
        UNITS = (WIDE ? 2 : 4) / Op::INPUTS,
        LEAD = WIDE ? 3 : 99 // 99: the whole row
    };
    typedef stream_way<MOST, VECTORS, UNITS, LEAD> type;
};
// With few columns in a thread's registers there is room for twice the threads,
// as long as a cluster of them holds the row.
template <class Op, bool SHIFTED, bool WIDE>
struct long_way<Op, SHIFTED, WIDE, true, false> {
    enum { FEW = SHIFTED && !WIDE, VECTORS = long_units<Op>(FEW ? 16 : 32) };
    typedef stream_way<512, VECTORS + FEW, FEW ? 2 : long_units<Op>(16), 99>
        type;
};
template <class Op, bool SHIFTED, bool WIDE>
struct long_way<Op, SHIFTED, WIDE, true, true> {
    enum { FEW = SHIFTED && !WIDE, VECTORS = long_units<Op>(FEW ? 16 : 64) };
    typedef stream_way<FEW ? 512 : 256, VECTORS + FEW, 2, 2> type;
};

// Only what the rules use is compiled.
template <bool USED, class Op, bool SHIFTED, bool WIDE> struct long_planner {
    static cudaError_t plan(size_t, int, struct stream_plan *)
    {
        return cudaErrorInvalidValue;
    }
};
template <class Op, bool SHIFTED, bool WIDE>
struct long_planner<true, Op, SHIFTED, WIDE> {
    typedef typename long_way<Op, SHIFTED, WIDE, stream_keeps<Op>::KEPT != 0,
                              stream_keeps<Op>::SUMS != 0>::type way;

    static cudaError_t plan(size_t rows, int cols, struct stream_plan *plan)
    {
        return stream_plan_of<Op, SHIFTED, way>(rows, cols, plan);
    }
};

// Is a row of so many columns to stream? Then says how.
template <class Op>
static bool long_plan_of(size_t rows, int cols, struct stream_plan *plan)
{
    constexpr stream_rule rule = stream_rules<Op>();
    constexpr int width = CHIP_VECTOR / sizeof(typename Op::element);
    bool odd = cols % width != 0, wide;
    cudaError_t error;

    if (!ROW_BARRIERS || cols < (odd ? rule.odd : rule.even))
        return false;
    wide = cols >= (odd ? rule.odd_wide : rule.even_wide);
    if (odd)
        error = wide ? long_planner<(rule.odd_wide < LONG_NEVER), Op, true,
                                    true>::plan(rows, cols, plan)
                     : long_planner<(rule.odd < rule.odd_wide), Op, true,
                                    false>::plan(rows, cols, plan);
    else
        error = wide ? long_planner<(rule.even_wide < LONG_NEVER), Op, false,
                                    true>::plan(rows, cols, plan)
                     : long_planner<(rule.even < rule.even_wide), Op, false,
                                    false>::plan(rows, cols, plan);
    if (error != cudaSuccess)
        cudaGetLastError(); // forgotten: such rows do not stream
    return error == cudaSuccess &&
           rows >= LONG_ROWS * (size_t)plan->groups;
}

template <class Op> static constexpr bool bulk_takes(int cols)
{
    return cols % (CHIP_VECTOR / (int)sizeof(typename Op::element)) != 0 &&
           cols >= stream_rules<Op>().bulk &&
           cols < stream_rules<Op>().bulk_end && cols < stream_rules<Op>().odd;
}

// The same, of the last call with such arguments: to plan takes the host longer
// than to launch.
template <class Op>
static bool long_plan(size_t rows, int cols, struct stream_plan *plan)
{
    static thread_local struct {
        size_t rows;
        int cols, device;
        bool streams;
        struct stream_plan plan;
    } last;
    constexpr stream_rule rule = stream_rules<Op>();
    int device;

    if (cols < (rule.odd < rule.even ? rule.odd : rule.even) ||
        cudaGetDevice(&device) != cudaSuccess)
        return false;
    if (last.rows != rows || last.cols != cols || last.device != device) {
        last.streams = long_plan_of<Op>(rows, cols, &last.plan);
        last.rows = rows;
        last.cols = cols;
        last.device = device;
    }
    *plan = last.plan;
    return last.streams;
}

#endif
