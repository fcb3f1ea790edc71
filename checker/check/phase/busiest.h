// SPDX-License-Identifier: MIT
/*
 * busiest.h: what the busiest block of a stage takes.
 *
 *   busiest_time
 */
#ifndef CHECK_BUSIEST_H
#define CHECK_BUSIEST_H

#include "simcase.h"

/* At the timed shape, at least; zeros: the work is divided evenly once blocks
 * take turns, or that is not known. c: the case where counters are taken. */
struct busiest busiest_time(struct sim *s, const struct test_case *c);

#endif
