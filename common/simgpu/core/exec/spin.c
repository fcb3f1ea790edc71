// SPDX-License-Identifier: MIT
/*
 * spin.c: see spin.h.
 *
 * What a worker did is counted for all its warps, so what the others did
 * between two slices of a warp is taken out of the count that it remembers.
 */
#include "spin.h"

#include <string.h>

#include "still.h"

enum { TRIES = 16 }; /* then a loop that changes registers is known as such;
                        one that sleeps ever longer does so no more by then */

bool spin_wrote(const struct warp *w)
{
    return w->spin.did != still_deeds_of(w->worker);
}

static int find(const struct warp_spin *s, const struct inst *i,
                uint64_t where)
{
    for (int n = 0; n < (int)(sizeof s->seen / sizeof *s->seen); n++)
        if (s->seen[n].at == i && s->seen[n].where == where)
            return n;
    return -1;
}

void spin_look(struct warp *w, const struct inst *i, uint64_t where)
{
    struct warp_spin *s = &w->spin;
    uint64_t did = still_deeds_of(w->worker), state;
    int n = s->did == did ? find(s, i, where) : -1;
    if (s->did != did)
        spin_forget(w);
    s->did = did;
    s->looked = true;
    s->sure = false;
    if (n < 0) {
        s->seen[s->next].at = i;
        s->seen[s->next].where = where;
        s->seen[s->next].state = 0;
        s->next = (uint8_t)((s->next + 1u) % (sizeof s->seen /
                                               sizeof *s->seen));
        return;
    }
    if (s->tries == TRIES)
        return;
    state = still_state(w, true);
    s->sure = state == s->seen[n].state;
    s->tries = s->sure ? 1 : (uint8_t)(s->tries + 1);
    s->seen[n].state = state;
}

void spin_forget(struct warp *w)
{
    struct warp_spin *s = &w->spin;
    memset(s->seen, 0, sizeof s->seen);
    s->next = s->tries = 0;
    s->sure = false;
}

void spin_resume(struct warp *w)
{
    struct warp_spin *s = &w->spin;
    const struct engine_counters *c = &w->worker->counters;
    s->began_sure = s->sure;
    s->warps = c->warp_instructions;
    s->lanes = c->lane_instructions;
    if (s->looked)
        s->did += still_deeds_of(w->worker) - s->left;
}

void spin_pause(struct warp *w)
{
    struct warp_spin *s = &w->spin;
    struct worker *k = w->worker;
    if (s->began_sure && s->sure && w->polled) {
        k->spun.warps += k->counters.warp_instructions - s->warps;
        k->spun.lanes += k->counters.lane_instructions - s->lanes;
    }
    if (s->looked)
        s->left = still_deeds_of(k);
}
