// SPDX-License-Identifier: MIT
/*
 * contention.h: atomics that wait for each other at one place of L2.
 *
 *   contention_open, contention_close
 *   contention_add      an atomic of a warp
 *   contention_forget   what was counted so far
 *   contention_sum      the busiest sector or unit
 *
 * L2 executes the atomics of one word one after the other, for the whole GPU,
 * and a unit of it those of its sectors. So the busiest place can hold up all
 * multiprocessors. Only one multiprocessor's blocks are watched: a place that
 * two of them touched is assumed to be touched by all blocks of the grid as
 * often, any other one by its own block and by as many of the others as lie
 * within it, if they are as far apart as two that were seen.
 */
#ifndef SIMGPU_CONTENTION_H
#define SIMGPU_CONTENTION_H

#include "simgpu/core/state/access.h"

struct contention;

struct contention_sum { /* clocks of L2 in the blocks that were counted */
    uint64_t shared, own; /* the busiest place of several blocks, of one */
};

struct contention *contention_open(void);
void contention_close(struct contention *c);
/* counted: else only who touches the place is noted. */
void contention_add(struct contention *c, const struct access *a,
                    uint64_t block, bool counted);
void contention_forget(struct contention *c);
struct contention_sum contention_sum(const struct contention *c);

#endif
