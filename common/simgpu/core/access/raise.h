// SPDX-License-Identifier: MIT
/*
 * raise.h: the one place where a memory instruction becomes an event.
 *
 *   access_raise        to every observer that is switched on
 *   access_raise_costs  to those that count what it costs
 *   access_raise_races  to the one that looks for races
 *
 * The two halves of access_raise differ for ldmatrix and stmatrix only, where a
 * lane gives a row's address and other lanes get its words (exec/tile.c).
 *
 * lanes_memory.c tells the same observers, the first two in vector code of
 * its own (count.h, race/race_lanes.h).
 */
#ifndef SIMGPU_RAISE_H
#define SIMGPU_RAISE_H

#include "count.h"
#include "simgpu/core/state/observe.h"

static inline void access_raise_costs(const struct access *a)
{
    struct worker *k = a->warp->worker;
    const struct run *r = k->run;
    if (r->checks & CHECK_COUNTERS)
        count_access(&k->counters, &k->patterns[a->form->site], a);
    if (a->mask && r->traffic)
        r->traffic->access(a);
}

static inline void access_raise_races(const struct access *a)
{
    const struct run *r = run_of(a->warp);
    if (a->mask && r->races)
        r->races->access(a);
}

static inline void access_raise(const struct access *a)
{
    access_raise_costs(a);
    access_raise_races(a);
}

#endif
