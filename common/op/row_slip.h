// SPDX-License-Identifier: MIT
/*
 * row_slip.h: a row's sum where a beginner wrote = for +=.
 *
 *   row_slip_counts   does this column join the sum then?
 *   ROW_SLIPS         op_mistakes of that kind, the first with number FIRST
 *   ROW_SLIP_FOR_SIZES   the same mistake in blocks of each size
 *
 * A block owns a row: each thread adds up its columns, lanes add up what
 * shuffles bring, and at last the warps' sums are added up. An assignment in
 * the first of these keeps the last columns, as many as a block has threads, in
 * the second lane 31's, in the third the last warp's.
 */
#ifndef OP_ROW_SLIP_H
#define OP_ROW_SLIP_H

#include <stdbool.h>
#include <stddef.h>

enum { ROW_SLIP_SIZES = 5 }; /* 256 threads, as in the lessons, and others */

enum { ROW_SLIP_COLUMN, ROW_SLIP_WARP = ROW_SLIP_SIZES,
       ROW_SLIP_LANE = 2 * ROW_SLIP_SIZES, ROW_SLIP_N };

#define ROW_SLIP_FOR_SIZES(first, mistake)                                     \
    [(first)] = mistake, [(first) + 1] = mistake, [(first) + 2] = mistake,     \
    [(first) + 3] = mistake, [(first) + 4] = mistake

#define ROW_SLIP_WORDS(...) {__VA_ARGS__}

#define ROW_SLIPS(first)                                                       \
    ROW_SLIP_FOR_SIZES((first) - 1 + ROW_SLIP_COLUMN, ROW_SLIP_WORDS(          \
        "each thread kept only the last of its columns for the sum",           \
        "Where a column joins a thread's sum: is = there for +=?")),           \
    ROW_SLIP_FOR_SIZES((first) - 1 + ROW_SLIP_WARP, ROW_SLIP_WORDS(            \
        "of a block's sum only the last warp's part counted",                  \
        "Where the warps' sums are added up: is = there for +=, or does the "  \
        "sum begin at 0 again in each round of the loop?")),                   \
    [(first) - 1 + ROW_SLIP_LANE] =                                            \
        {"of a warp's sum only one lane's part counted",                       \
         "Where lanes add up what a shuffle brings: is = there for +=?"}

/* slip: mistake - FIRST; any other number: all columns count. */
static inline bool row_slip_counts(int slip, size_t col, size_t width)
{
    enum { LANES = 32 };
    static const size_t sizes[ROW_SLIP_SIZES] = {256, 64, 128, 512, 1024};

    if (slip >= ROW_SLIP_COLUMN && slip < ROW_SLIP_COLUMN + ROW_SLIP_SIZES)
        return col + sizes[slip - ROW_SLIP_COLUMN] >= width;
    if (slip >= ROW_SLIP_WARP && slip < ROW_SLIP_WARP + ROW_SLIP_SIZES)
        return col % sizes[slip - ROW_SLIP_WARP] >=
               sizes[slip - ROW_SLIP_WARP] - LANES;
    return slip != ROW_SLIP_LANE || col % LANES == LANES - 1;
}

#endif
