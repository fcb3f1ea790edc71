// SPDX-License-Identifier: MIT
/*
 * race_objects.c: the order that mbarriers make.
 *
 *   race_arrives_at   lanes arrive: what they did, and had seen, goes with it
 *   race_defers       their copies will arrive: those writes go with it
 *   race_complete     the phase is over
 *   race_wait         lanes have waited for it: they have seen all of that
 *
 * An object remembers, of each warp and of each thread, the stamp below which
 * all its accesses are ordered before the end of the phase. A lane that
 * arrives alone speaks for itself, and for its warp up to the last .sync of
 * all its lanes; lanes that arrive in one instruction are a warp only if they
 * are all of it. A wait by one lane counts for its warp: what is forgotten can
 * hide a race, never make one up.
 */
#include <stdlib.h>

#include "race.h"
#include "simgpu/host/threads.h"

struct point { /* stamps: what lies below is ordered before */
    uint32_t warp[MAX_WARPS], thread[MAX_WARPS * LANES];
    const struct release *acquired;
};

struct records {
    struct point gathered, released;
};

static struct records *records_of(struct object_order *x)
{
    if (!x->records && !(x->records = calloc(1, sizeof(struct records))))
        abort();
    return x->records;
}

static void join(uint32_t *to, const uint32_t *from, size_t n)
{
    for (size_t k = 0; k < n; k++)
        to[k] = to[k] > from[k] ? to[k] : from[k];
}

static void raise_to(uint32_t *to, uint32_t stamp)
{
    *to = *to > stamp ? *to : stamp;
}

static void see_flags(struct warp *w, const struct release **to,
                      const struct release *from)
{
    struct race_order *o = run_of(w)->order;
    if (!o || !from)
        return;
    race_order_take(o);
    race_see(o, to, from);
    race_order_leave(o);
}

static void join_seen(struct point *p, struct warp *w, uint32_t mask)
{
    const struct block *b = w->block;
    const struct warp_order *o = w->order;
    if (b->met)
        join(p->warp, b->met[w->index], MAX_WARPS);
    if (b->own)
        join(p->thread, b->own[w->index], MAX_WARPS * LANES);
    for (uint32_t rest = o && o->partial ? mask : 0; rest; rest &= rest - 1)
        join(p->thread + w->index * LANES, o->joint[first_lane(rest)], LANES);
    see_flags(w, &p->acquired, w->acquired);
}

void race_arrives_at(struct warp *w, uint32_t mask, struct object_order *x)
{
    struct point *p = &records_of(x)->gathered;
    struct race *r = w->worker->race;
    uint32_t when = ++r->clock;
    bool whole = (mask | w->dead) == (uint32_t)FULL;
    join_seen(p, w, mask);
    raise_to(&p->warp[w->index], whole ? when : w->full);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        raise_to(&p->thread[w->index * LANES + (uint32_t)first_lane(rest)],
                 when);
    race_set_stamp(w, mask, ++r->clock);
}

uint32_t race_defers(struct warp *w, uint32_t mask, struct object_order *x)
{
    struct point *p = &records_of(x)->gathered;
    struct race *r = w->worker->race;
    uint32_t landed = ++r->clock, when = ++r->clock;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        raise_to(&p->thread[w->index * LANES + (uint32_t)first_lane(rest)],
                 when);
    race_set_stamp(w, mask, ++r->clock);
    return landed;
}

void race_complete(struct warp *w, struct object_order *x)
{
    struct records *r = records_of(x);
    join(r->released.warp, r->gathered.warp, MAX_WARPS);
    join(r->released.thread, r->gathered.thread, MAX_WARPS * LANES);
    see_flags(w, &r->released.acquired, r->gathered.acquired);
}

void race_wait(struct warp *w, struct object_order *x)
{
    const struct point *p = &records_of(x)->released;
    struct block *b = w->block;
    if (!b->own && !(b->own = calloc(MAX_WARPS, sizeof *b->own)))
        abort();
    join(race_met(b)[w->index], p->warp, MAX_WARPS);
    join(b->own[w->index], p->thread, MAX_WARPS * LANES);
    see_flags(w, &w->acquired, p->acquired);
}
