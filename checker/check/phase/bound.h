// SPDX-License-Identifier: MIT
/*
 * bound.h: the least time that a stage can take.
 *
 *   bound_ms      what its instructions take at the timed shape
 *   bound_moves   whether what must move does, between L2 and multiprocessors
 *   bound_allows  whether a time is long enough for the bytes that must move
 *   bound_roof    what share of the roof a time at a shape is
 *
 * A prediction samples the blocks of one multiprocessor. Where these do the
 * whole grid's work, as one block that strides over everything does, they never
 * end. But what all blocks execute at the shape where counters are taken is
 * known, and how many blocks there are to share it at the timed one.
 */
#ifndef CHECK_BOUND_H
#define CHECK_BOUND_H

#include <jansson.h>

#include "harness/roofline.h"
#include "phase.h"

struct bound {
    double ms;             /* by the issue of its instructions alone */
    double waited_ms;      /* if it goes on as until it was broken off */
    long long blocks;      /* of its largest grid */
    int multiprocessors;   /* of the GPU */
};

/* report: of the launch at the timed shape, which did not end. False: nothing
 * is known. */
bool bound_ms(const struct phase *phase, const json_t *report,
              struct bound *bound);
/* p: with the report that it was added up from. False: the blocks that were
 * sampled do less than their share, or the stage leaves work out. */
bool bound_moves(const struct op *op, const struct op_shape *shape,
                 const struct predicted *p);
/* gpu: its key; "": the one that predictions are made for where none is named.
 * False: as above. */
bool bound_allows(const struct op *op, const struct op_shape *shape, double ms,
                  const char *gpu);
/* By the datasheet of the GPU that predictions are made for. False: it has no
 * figure for the unit that the operator's flops run on. */
bool bound_roof(const struct op *op, const struct op_shape *shape, double ms,
                struct roofline *roofline);

#endif
