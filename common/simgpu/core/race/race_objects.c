// SPDX-License-Identifier: MIT
/*
 * race_objects.c: the order that mbarriers and the cluster's barrier make.
 *
 *   race_arrives_at   lanes arrive: what they did, and had seen, goes with it
 *   race_lands        their copies are there: those writes go with it
 *   race_gathered     what has arrived so far
 *   race_complete     the phase is over
 *   race_wait         lanes have waited for it: they have seen all of that
 *
 * An object remembers, of each block of the cluster, the stamps below which
 * accesses are ordered before the end of the phase. A lane that arrives alone
 * speaks for itself, and for its warp up to the last .sync of all its lanes;
 * lanes that arrive in one instruction are a warp only if they are all of it. A
 * wait by one lane counts for its warp: what is forgotten can hide a race,
 * never make one up.
 */
#include <stdlib.h>

#include "race.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/host/threads.h"

enum moment { GATHERED, RELEASED, MOMENTS };

struct records {
    const struct release *acquired[MOMENTS];
    uint32_t n;                /* blocks */
    struct seen_block of[];    /* those gathered, then those released */
};

static struct records *records_of(struct object_order *x,
                                  const struct worker *k)
{
    uint32_t n = k->cluster ? k->cluster->n : 1;
    if (!x->records) {
        struct records *r = own_not_null(
            calloc(1, sizeof *r + MOMENTS * n * sizeof *r->of));
        r->n = n;
        x->records = r;
    }
    return x->records;
}

static struct seen_block *at(struct records *r, enum moment m, uint32_t rank)
{
    return &r->of[m * r->n + rank];
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

static void raise_threads(struct seen_block *p, const struct warp *w,
                          uint32_t mask, uint32_t when)
{
    p->any = p->threads = true;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        race_raise(&p->thread[w->index * LANES + (uint32_t)first_lane(rest)],
                   when);
}

/* What the warp has seen of its own block. */
static void join_own(struct seen_block *p, const struct warp *w, uint32_t mask)
{
    const struct block *b = w->block;
    const struct warp_order *o = w->order;
    p->any = true;
    race_raise(&p->floor, b->floor);
    if (b->met)
        race_join(p->warp, b->met[w->index], MAX_WARPS);
    if (b->own) {
        p->threads = true;
        race_join(p->thread, b->own[w->index], MAX_WARPS * LANES);
    }
    if (b->landed) {
        p->copies = true;
        race_join(p->landed, b->landed[w->index], MAX_WARPS * LANES);
    }
    for (uint32_t rest = o && o->partial ? mask : 0; rest; rest &= rest - 1) {
        p->threads = true;
        race_join(p->thread + w->index * LANES, o->joint[first_lane(rest)],
                  LANES);
    }
    if (o)
        race_raise(&p->inits[w->index], o->inits);
}

static void join_seen(struct records *r, struct warp *w, uint32_t mask)
{
    const struct worker *k = w->worker;
    join_own(at(r, GATHERED, k->rank), w, mask);
    for (uint32_t rank = 0; rank < r->n && w->block->seen; rank++)
        if (rank != k->rank)
            race_seen_join(at(r, GATHERED, rank), race_seen(w, rank));
    see_flags(w, &r->acquired[GATHERED], w->acquired);
}

/* A relaxed arrival: only what its fences cover goes with it. */
static void join_fenced(struct records *r, const struct warp *w, uint32_t mask)
{
    struct seen_block *p = at(r, GATHERED, w->worker->rank);
    const struct warp_order *o = w->order;
    for (uint32_t rest = o ? mask : 0; rest; rest &= rest - 1) {
        const struct fence *f = &o->fence[first_lane(rest)];
        if (!f->own)
            continue;
        raise_threads(p, w, rest & -rest, f->own);
        race_raise(&p->warp[w->index], f->warp);
        race_raise(&p->floor, f->block);
    }
    if (o && o->inits) {
        p->any = true;
        race_raise(&p->inits[w->index], o->inits);
    }
}

void race_arrives_at(struct warp *w, uint32_t mask, struct object_order *x,
                     bool relaxed)
{
    struct records *r = records_of(x, w->worker);
    struct seen_block *p = at(r, GATHERED, w->worker->rank);
    uint32_t when = ++w->worker->race->clock;
    bool whole = (mask | w->dead) == (uint32_t)FULL;
    if (relaxed) {
        join_fenced(r, w, mask);
    } else {
        join_seen(r, w, mask);
        race_raise(&p->warp[w->index], whole ? when : w->full);
        raise_threads(p, w, mask, when);
    }
    race_set_stamp(w, mask, ++w->worker->race->clock);
}

uint32_t race_lands(struct warp *w, uint32_t mask, struct object_order *x)
{
    struct records *r = records_of(x, w->worker);
    struct seen_block *p = at(r, GATHERED, w->worker->rank);
    uint32_t stamp = ++w->worker->race->clock;
    uint32_t when = ++w->worker->race->clock;
    p->any = p->copies = true;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        race_raise(&p->landed[w->index * LANES + (uint32_t)first_lane(rest)],
                   when);
    return stamp;
}

const struct seen_block *race_gathered(const struct object_order *x,
                                       uint32_t rank)
{
    struct records *r = x->records;
    return r ? at(r, GATHERED, rank) : NULL;
}

void race_complete(struct warp *w, struct object_order *x)
{
    struct records *r = records_of(x, w->worker);
    for (uint32_t rank = 0; rank < r->n; rank++)
        race_seen_join(at(r, RELEASED, rank), at(r, GATHERED, rank));
    see_flags(w, &r->acquired[RELEASED], r->acquired[GATHERED]);
}

/* What the object says of the waiting block itself. */
static void see_own(struct warp *w, const struct seen_block *p)
{
    struct block *b = w->block;
    uint32_t *met = race_met(b)[w->index];
    race_join(met, p->warp, MAX_WARPS);
    for (int n = 0; n < MAX_WARPS; n++)
        race_raise(&met[n], p->floor);
    race_inits_seen(w, p->inits);
    if (p->threads && !b->own)
        b->own = own_not_null(calloc(MAX_WARPS, sizeof *b->own));
    if (p->threads)
        race_join(b->own[w->index], p->thread, MAX_WARPS * LANES);
    if (p->copies && !b->landed)
        b->landed = own_not_null(calloc(MAX_WARPS, sizeof *b->landed));
    if (p->copies)
        race_join(b->landed[w->index], p->landed, MAX_WARPS * LANES);
}

void race_wait(struct warp *w, struct object_order *x)
{
    struct records *r = records_of(x, w->worker);
    see_own(w, at(r, RELEASED, w->worker->rank));
    for (uint32_t rank = 0; rank < r->n; rank++)
        if (rank != w->worker->rank && at(r, RELEASED, rank)->any)
            race_seen_join(race_seen(w, rank), at(r, RELEASED, rank));
    see_flags(w, &w->acquired, r->acquired[RELEASED]);
}
