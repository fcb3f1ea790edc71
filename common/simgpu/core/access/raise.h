// SPDX-License-Identifier: MIT
/*
 * raise.h: the one place where a memory instruction becomes an event.
 *
 *   access_raise    to every observer that is switched on
 *
 * lanes_memory.c tells the same observers, the first two in vector code of
 * its own (count.h, race/race_lanes.h).
 */
#ifndef SIMGPU_RAISE_H
#define SIMGPU_RAISE_H

#include "count.h"
#include "simgpu/core/state/observe.h"

static inline void access_raise(const struct access *a)
{
    struct worker *k = a->warp->worker;
    const struct run *r = k->run;
    if (r->checks & CHECK_COUNTERS)
        count_access(&k->counters, &k->patterns[a->form->site], a);
    if (!a->mask)
        return;
    if (r->races)
        r->races->access(a);
    if (r->traffic)
        r->traffic->access(a);
}

#endif
