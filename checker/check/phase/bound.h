// SPDX-License-Identifier: MIT
/*
 * bound.h: the least time of a stage that cannot be predicted.
 *
 *   bound_ms    what the issue of its instructions takes at the timed shape
 *
 * A prediction samples the blocks of one multiprocessor. Where these do the
 * whole grid's work, as one block that strides over everything does, they never
 * end. But what all blocks execute at the shape where counters are taken is
 * known, and how many blocks there are to share it at the timed one.
 */
#ifndef CHECK_BOUND_H
#define CHECK_BOUND_H

#include <jansson.h>

#include "phase.h"

struct bound {
    double ms;
    long long blocks;      /* of its largest grid */
    int multiprocessors;   /* of the GPU */
};

/* report: of the launch at the timed shape, which did not end. False: nothing
 * is known. */
bool bound_ms(const struct phase *phase, const json_t *report,
              struct bound *bound);

#endif
