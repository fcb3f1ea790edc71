// SPDX-License-Identifier: MIT
/*
 * race_objects.c: the order that mbarriers and the cluster's barrier make.
 *
 *   race_arrives_at   lanes arrive: what they did, and had seen, goes with it
 *   race_lands        their copies are there: those writes go with it
 *   race_gathered     what has arrived so far
 *   race_complete     the phase is over
 *   race_wait         lanes have waited for it: they know all of that
 *
 * An object remembers, of each block of the cluster, the stamps below which
 * accesses are ordered before the end of the phase. A lane that arrives alone
 * speaks for itself, and for its warp up to the last .sync of all its lanes;
 * lanes that arrive in one instruction are a warp only if they are all of it.
 * What other blocks' threads brought stands apart: a wait at the scope of the
 * block does not see it.
 */
#include <stdlib.h>

#include "race.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/host/threads.h"

enum moment { GATHERED, RELEASED, MOMENTS };
enum side { INSIDE, OUTSIDE, SIDES }; /* the arriving thread's block is the
                                         object's, or another one */

struct records {
    const struct release *acquired[MOMENTS][SIDES];
    uint32_t n;                /* blocks */
    struct seen_block of[];    /* by moment, side and rank */
};

static struct records *records_of(struct object_order *x,
                                  const struct worker *k)
{
    uint32_t n = k->cluster ? k->cluster->n : 1;
    if (!x->records) {
        struct records *r = own_not_null(
            calloc(1, sizeof *r + MOMENTS * SIDES * n * sizeof *r->of));
        r->n = n;
        x->records = r;
    }
    return x->records;
}

static struct seen_block *at(struct records *r, enum moment m, enum side s,
                             uint32_t rank)
{
    return &r->of[(m * SIDES + s) * r->n + rank];
}

static enum side side_of(unsigned how)
{
    return how & ORDER_OUTSIDE ? OUTSIDE : INSIDE;
}

static void raise_threads(struct seen_block *p, const struct warp *w,
                          uint32_t mask, uint32_t when)
{
    p->any = p->threads = true;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        race_raise(&p->thread[w->index * LANES + (uint32_t)first_lane(rest)],
                   when);
}

/* What the lanes have seen of their own block; p->any and p->threads are set
 * by what the lanes themselves bring. */
static void join_own(struct seen_block *p, const struct warp *w, uint32_t mask)
{
    const struct block *b = w->block;
    const struct warp_order *o = w->order;
    race_raise(&p->floor, b->floor);
    if (b->met)
        race_join(p->warp, b->met[w->index], MAX_WARPS);
    if (b->own)
        race_join(p->thread, b->own[w->index], MAX_WARPS * LANES);
    if (b->landed) {
        p->copies = true;
        race_join(p->landed, b->landed[w->index], MAX_WARPS * LANES);
    }
    for (uint32_t rest = o && o->partial ? mask : 0; rest; rest &= rest - 1)
        race_join(p->thread + w->index * LANES, o->joint[first_lane(rest)],
                  LANES);
    if (o)
        race_raise(&p->inits[w->index], o->inits);
}

static void join_seen(struct records *r, enum side side, struct warp *w,
                      uint32_t mask)
{
    const struct worker *k = w->worker;
    join_own(at(r, GATHERED, side, k->rank), w, mask);
    for (uint32_t rank = 0; rank < r->n; rank++) {
        struct seen_block *p = at(r, GATHERED, side, rank);
        if (rank != k->rank && w->block->seen)
            race_seen_join(p, race_seen(w, rank));
        race_notes_join(w, mask, rank, p);
    }
    race_see_known(w, mask, &r->acquired[GATHERED][side]);
}

/* A relaxed arrival: only what its fences cover goes with it. */
static void join_fenced(struct records *r, enum side side,
                        const struct warp *w, uint32_t mask)
{
    struct seen_block *p = at(r, GATHERED, side, w->worker->rank);
    const struct warp_order *o = w->order;
    for (uint32_t rest = o ? mask : 0; rest; rest &= rest - 1) {
        const struct fence *f = &o->fence[first_lane(rest)];
        if (!f->own || (side == OUTSIDE && f->scope == SCOPE_BLOCK))
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
                     unsigned how)
{
    struct records *r = records_of(x, w->worker);
    enum side side = side_of(how);
    struct seen_block *p = at(r, GATHERED, side, w->worker->rank);
    uint32_t when = ++w->worker->race->clock;
    bool whole = (mask | w->dead) == (uint32_t)FULL;
    if (how & ORDER_RELAXED) {
        join_fenced(r, side, w, mask);
    } else {
        join_seen(r, side, w, mask);
        race_raise(&p->warp[w->index], whole ? when : w->full);
        raise_threads(p, w, mask, when);
    }
    race_set_stamp(w, mask, ++w->worker->race->clock);
}

uint32_t race_lands(struct warp *w, uint32_t mask, struct object_order *x)
{
    struct records *r = records_of(x, w->worker);
    struct seen_block *p = at(r, GATHERED, INSIDE, w->worker->rank);
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
    return r ? at(r, GATHERED, INSIDE, rank) : NULL;
}

void race_complete(struct warp *w, struct object_order *x)
{
    struct records *r = records_of(x, w->worker);
    for (enum side s = INSIDE; s < SIDES; s++) {
        for (uint32_t rank = 0; rank < r->n; rank++)
            race_seen_join(at(r, RELEASED, s, rank),
                           at(r, GATHERED, s, rank));
        race_see_flags(w, &r->acquired[RELEASED][s],
                       r->acquired[GATHERED][s]);
    }
}

/* Has a warp of the cluster waited for the launch before? Perhaps it has told
 * of that by what this warp has waited for. */
static bool any_late(const struct cluster *c)
{
    bool late = false;
    for (uint32_t rank = 0; rank < c->n; rank++) {
        const struct block *b = &c->member[rank]->block;
        for (uint32_t n = 0; n < b->n_warps; n++)
            late |= !b->warps[n].early;
    }
    return late;
}

void race_wait(struct warp *w, uint32_t lanes, struct object_order *x,
               unsigned how)
{
    if (w->early && any_late(w->worker->cluster))
        race_not_early(w);
    struct records *r = records_of(x, w->worker);
    bool relaxed = how & ORDER_RELAXED;
    enum side last = how & ORDER_OF_BLOCK ? INSIDE : OUTSIDE;
    if (w->worker->cluster && x == &w->worker->cluster->order)
        w->block->joined = true;
    for (enum side s = INSIDE; s <= last; s++) {
        for (uint32_t rank = 0; rank < r->n; rank++)
            if (at(r, RELEASED, s, rank)->any)
                race_hear(w, lanes, relaxed, rank, at(r, RELEASED, s, rank));
        race_hear_flags(w, lanes, relaxed, r->acquired[RELEASED][s]);
    }
}
