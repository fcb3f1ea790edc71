// SPDX-License-Identifier: MIT
/*
 * row_slip.h: a row's sum where a beginner wrote = for +=.
 *
 *   row_slip_counts   does this column join the sum then?
 *   ROW_SLIPS         op_mistakes of that kind, the first with number FIRST
 *
 * A block of 256 threads owns a row: each thread adds up its columns, lanes add
 * up what shuffles bring, and at last the warps' sums are added up. An
 * assignment in the first of these keeps the last 256 columns, in the second
 * lane 31's, in the third the last warp's.
 */
#ifndef OP_ROW_SLIP_H
#define OP_ROW_SLIP_H

#include <stdbool.h>
#include <stddef.h>

enum { ROW_SLIP_COLUMN, ROW_SLIP_LANE, ROW_SLIP_WARP, ROW_SLIP_N };

#define ROW_SLIPS(first)                                                       \
    [(first) - 1 + ROW_SLIP_COLUMN] =                                          \
        {"each thread kept only the last of its columns for the sum",          \
         "Where a column joins a thread's sum: is = there for +=?"},           \
    [(first) - 1 + ROW_SLIP_LANE] =                                            \
        {"of a warp's sum only one lane's part counted",                       \
         "Where lanes add up what a shuffle brings: is = there for +=?"},      \
    [(first) - 1 + ROW_SLIP_WARP] =                                            \
        {"of a block's sum only the last warp's part counted",                 \
         "Where the warps' sums are added up: is = there for +=, or does the " \
         "sum begin at 0 again in each round of the loop?"}

/* slip: mistake - FIRST; any other number: all columns count. */
static inline bool row_slip_counts(int slip, size_t col, size_t width)
{
    enum { THREADS = 256, LANES = 32 };

    switch (slip) {
    case ROW_SLIP_COLUMN:
        return col + THREADS >= width;
    case ROW_SLIP_LANE:
        return col % LANES == LANES - 1;
    case ROW_SLIP_WARP:
        return col % THREADS >= THREADS - LANES;
    default:
        return true;
    }
}

#endif
