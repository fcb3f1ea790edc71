// SPDX-License-Identifier: MIT
/*
 * raise.h: the one place where a memory instruction becomes an event.
 *
 *   access_raise          to every observer that is switched on
 *   access_raise_costs    to those that count what it costs
 *   access_raise_traffic  to the traffic model, which is one of them
 *   access_raise_races    to the one that looks for races
 *
 * The halves of access_raise differ for ldmatrix and stmatrix only, where a
 * lane gives a row's address and other lanes get its words (exec/tile.c).
 *
 * lanes/lanes_access.h raises the same events, but counts them in vector code
 * of its own (count.h) and leaves out the lanes that it knows to be free of
 * races (race/race_lanes.h).
 */
#ifndef SIMGPU_RAISE_H
#define SIMGPU_RAISE_H

#include "count.h"
#include "simgpu/core/state/observe.h"

ACCESS_INLINE void access_raise_traffic(const struct run *r,
                                        const struct access *a)
{
    if (a->mask && r->traffic)
        r->traffic->access(a);
}

ACCESS_INLINE void access_raise_races(const struct run *r,
                                      const struct access *a)
{
    if (a->mask && r->races)
        r->races->access(a);
}

static inline void access_raise_costs(const struct access *a)
{
    struct worker *k = a->warp->worker;
    if (k->run->checks & CHECK_COUNTERS)
        count_access(&k->counters, &k->patterns[a->form->site], a);
    if (k->run->inputs)
        count_inputs(&k->counters, k->run->inputs, a);
    access_raise_traffic(k->run, a);
}

static inline void access_raise(const struct access *a)
{
    access_raise_costs(a);
    access_raise_races(run_of(a->warp), a);
}

#endif
