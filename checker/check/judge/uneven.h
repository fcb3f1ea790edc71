// SPDX-License-Identifier: MIT
/*
 * uneven.h: how a stage's work is divided among its blocks.
 *
 *   uneven_of      a report's launches, added up
 *   uneven_seems   whether a few blocks keep the GPU waiting
 *   uneven_time    the least that the busiest block takes
 *
 * A launch ends with its last block. Work that is shared evenly is done in
 * 1/132 of the time that one multiprocessor takes; what one block does is not.
 */
#ifndef CHECK_UNEVEN_H
#define CHECK_UNEVEN_H

#include <jansson.h>
#include <stdbool.h>

/* Warp instructions, and sectors of global memory. */
struct uneven_part {
    double all;      /* of all blocks */
    double busiest;  /* of the block that has the most */
    double even;     /* of a multiprocessor, if all had as many */
};

struct uneven {
    struct uneven_part instructions, sectors;
};

struct uneven uneven_of(const json_t *report);
/* Blocks that take their work from a queue seem uneven too, as the simulated
 * GPU runs one after the other; those of a fair launch do not. */
bool uneven_seems(const struct uneven *u);

/* Of the busiest block, on the GPU that predictions are made for. 0: its part
 * is no more than suspect. */
struct busiest {
    double issue_ms;  /* to issue its instructions */
    double move_ms;   /* to move its sectors through L1 */
    double times;     /* the longer, over what it were if all blocks had as
                         much to do */
};

/* At `timed` work (in any unit), where u is of `work` of it. Whether the
 * block's share falls as the work grows follows from less, which is of
 * `less_work`; NULL: it stays. */
struct busiest uneven_time(const struct uneven *u, double work,
                           const struct uneven *less, double less_work,
                           double timed);

#endif
