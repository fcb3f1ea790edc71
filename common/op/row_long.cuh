// SPDX-License-Identifier: MIT
/*
 * row_long.cuh: which rows stream through shared memory (row_stream.cuh,
 * row_warp.cuh).
 *
 *   stream_rules   from how many columns on, for each kind of operation
 *   bulk_takes     do rows of this length, if they do not stream, come by bulk
 *                  copies (row_bulk.cuh)?
 *   long_plan      makes the launch of an operation, if its rows are to stream
 *
 * The rules are what an H200 measured with 512 MiB per array: the NOTES.md of
 * solution 21 has the tables. Elsewhere a block or a cluster per row is as fast
 * or faster. Blocks that stay need rows to stay
 * for: with fewer than two for each group of blocks, or for each warp that has
 * rows of its own, nothing streams.
 */
#ifndef WB_ROW_LONG_CUH
#define WB_ROW_LONG_CUH

#include "op/row_warp.cuh"

enum {
    LONG_NEVER = 1 << 30, // columns
    LONG_ROWS = 2         // per group of blocks, at least
};

// Rows stream from `even` columns on, and from `odd` if a row is no multiple of
// a vector; from `even_wide` or `odd_wide` on with more columns per thread.
struct stream_rule {
    int even, odd, even_wide, odd_wide;
};

// Odd rows that do not stream come by bulk copies from `from` to `end`, and
// from `again` to `again_end`.
struct bulk_rule {
    int from, end, again, again_end;
};

// Of odd rows these stream by vectors (row_shifted.cuh), whatever stream_rule
// says of them: from `warp` to `warp_end` columns a warp holds a row, and from
// `warp_even` a row that is a multiple of a vector; from `shift` on blocks do,
// and from `shift_wide` on with more columns per thread.
struct shift_rule {
    int warp, warp_even, warp_end, shift, shift_wide;
};

// An operation is told by its arrays: softmax, its gradient, layer norm and the
// gradient of that.
template <class Op> static constexpr stream_rule stream_rules()
{
    constexpr bool half = sizeof(typename Op::element) == 2;
    constexpr int never = LONG_NEVER;

    if (stream_keeps<Op>::SUMS)
        return half ? stream_rule{32768, 1000, never, 131072}
                    : stream_rule{16384, 2000, never, 131072};
    if (stream_keeps<Op>::KEPT)
        return half ? stream_rule{never, never, never, never}
                    : stream_rule{32768, never, never, never};
    if (Op::INPUTS > 1)
        return half ? stream_rule{never, 98000, never, 140000}
                    : stream_rule{131072, 65536, 131072, 131072};
    return half ? stream_rule{131072, 98000, never, never}
                : stream_rule{131072, 65536, 131072, never};
}

template <class Op> static constexpr bulk_rule bulk_rules()
{
    constexpr bool half = sizeof(typename Op::element) == 2;
    constexpr int never = LONG_NEVER;

    if (stream_keeps<Op>::SUMS)
        return bulk_rule{never, 0, never, 0};
    if (stream_keeps<Op>::KEPT)
        return bulk_rule{512, never, never, 0};
    if (Op::INPUTS > 1)
        return half ? bulk_rule{256, 16384, never, 0}
                    : bulk_rule{256, 512, 8000, never};
    return half ? bulk_rule{512, 1024, 1536, 32768}
                : bulk_rule{512, 1536, 16384, never};
}

template <class Op> static constexpr shift_rule shift_rules()
{
    constexpr bool half = sizeof(typename Op::element) == 2;
    constexpr int never = LONG_NEVER;

    if (stream_keeps<Op>::SUMS)
        return half ? shift_rule{1000, 1024, 1025, never, never}
                    : shift_rule{768, never, 1025, never, never};
    if (stream_keeps<Op>::KEPT)
        return half ? shift_rule{never, never, 0, never, 131000}
                    : shift_rule{never, never, 0, never, 98000};
    return shift_rule{never, never, 0, never, never};
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

// The same for rows that stream by vectors wherever they begin. `warp`: a warp
// holds a row.
template <class Op, bool KEPT, bool SUMS> struct shift_way { // neither
    enum { FEW = long_units<Op>(32), WIDE = long_units<Op>(64) };
    typedef stream_way<512, FEW / Op::INPUTS, 4 / Op::INPUTS, 99> few, warp;
    typedef stream_way<512, WIDE / Op::INPUTS, 2 / Op::INPUTS, 3> wide;
};
template <class Op> struct shift_way<Op, true, false> {
    enum { FEW = long_units<Op>(16), WIDE = long_units<Op>(32) };
    typedef stream_way<512, FEW, FEW, 99> few;
    typedef stream_way<512, WIDE, FEW, 99> wide, warp;
};
template <class Op> struct shift_way<Op, true, true> {
    typedef stream_way<512, long_units<Op>(16), 2, 2> few;
    typedef stream_way<256, long_units<Op>(64), 2, 2> wide;
    typedef stream_way<384, long_units<Op>(32), 2, 1> warp;
};

// What takes rows, by their length.
enum long_kind {
    LONG_NONE,
    LONG_EVEN,
    LONG_EVEN_WIDE,
    LONG_ODD,
    LONG_ODD_WIDE,
    LONG_WARP,
    LONG_SHIFT,
    LONG_SHIFT_WIDE
};

template <class Op> static enum long_kind long_kind_of(int cols)
{
    constexpr stream_rule rule = stream_rules<Op>();
    constexpr shift_rule shift = shift_rules<Op>();

    bool odd = cols % (CHIP_VECTOR / (int)sizeof(typename Op::element)) != 0;

    if (cols >= (odd ? shift.warp : shift.warp_even) && cols < shift.warp_end)
        return LONG_WARP;
    if (!odd)
        return cols >= rule.even_wide ? LONG_EVEN_WIDE
               : cols >= rule.even    ? LONG_EVEN
                                      : LONG_NONE;
    if (cols >= shift.shift_wide)
        return LONG_SHIFT_WIDE;
    if (cols >= shift.shift)
        return LONG_SHIFT;
    return cols >= rule.odd_wide ? LONG_ODD_WIDE
           : cols >= rule.odd    ? LONG_ODD
                                 : LONG_NONE;
}

// Only what the rules use is compiled.
template <bool USED> struct long_planner {
    template <class Op, class Row, class Way>
    static cudaError_t plan(size_t rows, int cols, struct stream_plan *plan)
    {
        return stream_plan_of<Op, Row, Way>(rows, cols, plan);
    }
    template <class Op, class Row, class Way>
    static cudaError_t warp(size_t rows, int cols, struct stream_plan *plan)
    {
        return warp_plan_of<Op, Row, Way>(rows, cols, plan);
    }
};
template <> struct long_planner<false> {
    template <class Op, class Row, class Way>
    static cudaError_t plan(size_t, int, struct stream_plan *)
    {
        return cudaErrorInvalidValue;
    }
    template <class Op, class Row, class Way>
    static cudaError_t warp(size_t, int, struct stream_plan *)
    {
        return cudaErrorInvalidValue;
    }
};

template <class Op>
static cudaError_t long_plan_as(enum long_kind kind, size_t rows, int cols,
                                struct stream_plan *plan)
{
    constexpr stream_rule rule = stream_rules<Op>();
    constexpr shift_rule shift = shift_rules<Op>();
    constexpr bool kept = stream_keeps<Op>::KEPT, sums = stream_keeps<Op>::SUMS;
    typedef vector_row<typename Op::element> even;
    typedef word_row<typename Op::element> words;
    typedef shifted_row<typename Op::element> shifted;
    typedef shift_way<Op, kept, sums> way;

    switch (kind) {
    case LONG_EVEN:
        return long_planner<(rule.even < rule.even_wide)>::template plan<
            Op, even, typename long_way<Op, false, false, kept, sums>::type>(
            rows, cols, plan);
    case LONG_EVEN_WIDE:
        return long_planner<(rule.even_wide < LONG_NEVER)>::template plan<
            Op, even, typename long_way<Op, false, true, kept, sums>::type>(
            rows, cols, plan);
    case LONG_ODD:
        return long_planner<(rule.odd < rule.odd_wide &&
                             rule.odd < shift.shift)>::
            template plan<
                Op, words,
                typename long_way<Op, true, false, kept, sums>::type>(
                rows, cols, plan);
    case LONG_ODD_WIDE:
        return long_planner<(rule.odd_wide < LONG_NEVER &&
                             rule.odd_wide < shift.shift)>::
            template plan<Op, words,
                          typename long_way<Op, true, true, kept, sums>::type>(
                rows, cols, plan);
    case LONG_WARP:
        return long_planner<(shift.warp < shift.warp_end ||
                             shift.warp_even < shift.warp_end)>::template warp<
            Op, shifted, typename way::warp>(rows, cols, plan);
    case LONG_SHIFT:
        return long_planner<(shift.shift < shift.shift_wide)>::template plan<
            Op, shifted, typename way::few>(rows, cols, plan);
    case LONG_SHIFT_WIDE:
        return long_planner<(shift.shift_wide < LONG_NEVER)>::template plan<
            Op, shifted, typename way::wide>(rows, cols, plan);
    default:
        return cudaErrorInvalidValue;
    }
}

// Is a row of so many columns to stream? Then says how.
template <class Op>
static bool long_plan_of(size_t rows, int cols, struct stream_plan *plan)
{
    enum long_kind kind = long_kind_of<Op>(cols);
    cudaError_t error;

    if (!ROW_BARRIERS || kind == LONG_NONE)
        return false;
    error = long_plan_as<Op>(kind, rows, cols, plan);
    if (error != cudaSuccess)
        cudaGetLastError(); // forgotten: such rows do not stream
    return error == cudaSuccess &&
           rows >= LONG_ROWS * (size_t)plan->groups * plan->abreast;
}

template <class Op> static bool bulk_takes(int cols)
{
    constexpr bulk_rule rule = bulk_rules<Op>();

    return cols % (CHIP_VECTOR / (int)sizeof(typename Op::element)) != 0 &&
           ((cols >= rule.from && cols < rule.end) ||
            (cols >= rule.again && cols < rule.again_end));
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
    int device;

    if (long_kind_of<Op>(cols) == LONG_NONE ||
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
