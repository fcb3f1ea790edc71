// SPDX-License-Identifier: MIT
/*
 * traps.h: what a timer is held against (kind = timer).
 *
 *   trap_count, trap_at    the traps, in the order in which a lesson mends them
 *   trap_draw              the same trap with a time of its own, from a seed
 */
#ifndef CHECK_TRAPS_H
#define CHECK_TRAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "vclock/trap.h"

struct trap_row {
    const char *name;     /* "async" */
    const char *what;     /* why a timer misses the truth here */
    const char *advice;   /* what to do next */
    struct trap trap;     /* kernel_us: the least */
    double tolerance;     /* share of the truth, both ways */
    int calls;            /* of the timer: each must be right */
    bool played;          /* the launcher imitates it: on a GPU, too */
};

int trap_count(void);
const struct trap_row *trap_at(int i);
struct trap trap_draw(const struct trap_row *row, uint64_t seed);

#endif
