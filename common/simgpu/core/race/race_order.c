// SPDX-License-Identifier: MIT
/*
 * race_order.c: what orders two accesses of a block's threads.
 *
 *   race_block_begins                     stamps of a new block
 *   race_sync                             a .sync of some lanes of a warp
 *   race_arrives, race_barrier            a barrier of some warps or all
 *   race_not_early                        a wait for the launch before
 *   race_ordered                          the question
 *
 * Barriers and .sync raise stamps: whoever takes part has seen all that lies
 * below. What else orders accesses is asked from here: flags (race_flags.c),
 * mbarriers (race_objects.c), what single lanes know (race_waits.c).
 */
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/own.h"

/* Stamps ------------------------------------------------------------------ */

void race_set_stamp(struct warp *w, uint32_t mask, uint32_t stamp)
{
    for (uint32_t l = 0; l < LANES; l++)
        if (mask >> l & 1)
            w->tags[l] = stamp_tag(stamp) | (w->early ? TAG_EARLY : 0) |
                         (uint64_t)(w->index * LANES + l) << TAG_THREAD;
    w->stamp = (mask | w->dead) == (uint32_t)FULL ? stamp : 0;
}

void race_not_early(struct warp *w)
{
    if (!w->early)
        return;
    w->early = false;
    for (int l = 0; l < LANES; l++)
        w->tags[l] &= ~TAG_EARLY;
}

/* If a warp has waited for the launch before, those that met it have. */
static void meet_early(struct block *b, uint32_t from, uint32_t to)
{
    bool late = false;
    for (uint32_t rest = from; rest; rest &= rest - 1)
        late |= !b->warps[first_lane(rest)].early;
    for (uint32_t rest = late ? to : 0; rest; rest &= rest - 1)
        race_not_early(&b->warps[first_lane(rest)]);
}

/* All lanes of the warp have seen what all of them did. */
static void in_step(struct warp *w)
{
    w->full = ++w->worker->race->clock;
    race_set_stamp(w, (uint32_t)FULL, w->full);
}

struct warp_order *race_warp_order(struct warp *w)
{
    if (!w->order)
        w->order = own_not_null(calloc(1, sizeof *w->order));
    return w->order;
}

static void note_begin(struct race *r, const struct block *b)
{
    if (r->n_begun == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->begun = own_not_null(realloc(r->begun, r->room * sizeof *r->begun));
    }
    r->begun[r->n_begun++] =
        (struct begun){b->start, (uint32_t)b->index};
}

/* What warps had seen of the worker's last block (met, own, landed) may stay:
 * its stamps are all below the new one's. */
void race_block_begins(struct worker *k)
{
    struct block *b = &k->block;
    b->start = b->floor = ++k->race->clock;
    b->joined = false;
    race_cluster_begins(b);
    note_begin(k->race, b);
    for (uint32_t n = 0; n < b->n_warps; n++) {
        struct warp *w = &b->warps[n];
        w->early = k->run->early;
        in_step(w);
        w->acquired = NULL;
        race_proxy_begins(w);
        race_notes_begin(w);
        if (w->order)
            memset(w->order, 0, sizeof *w->order);
    }
}

static void sync_some(struct warp *w, uint32_t lanes)
{
    struct warp_order *o = race_warp_order(w);
    uint32_t seen[LANES] = {0}, stamp = ++w->worker->race->clock;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        race_join(seen, o->joint[first_lane(rest)], LANES);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        seen[first_lane(rest)] = o->last[first_lane(rest)] = stamp;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memcpy(o->joint[first_lane(rest)], seen, sizeof seen);
    o->partial = true;
    race_set_stamp(w, lanes, stamp);
}

void race_sync(struct warp *w, uint32_t members)
{
    if (w->notes)
        race_notes_sync(w, members);
    if (w->order)
        race_flags_sync(w, members);
    if (race_sees_unfenced(run_of(w)))
        race_unfenced_sync(w, members);
    if ((members | w->dead) == (uint32_t)FULL)
        in_step(w);
    else if (members & (members - 1))
        sync_some(w, members & ~w->dead);
}

/* What the warp does from here is not before the barrier. */
void race_arrives(struct warp *w, uint32_t mask, struct barrier *x)
{
    if (w->notes)
        race_notes_arrive(w);
    x->warps |= 1u << w->index;
    x->when[w->index] = ++w->worker->race->clock;
    race_set_stamp(w, mask, ++w->worker->race->clock);
}

uint32_t (*race_met(struct block *b))[MAX_WARPS]
{
    if (!b->met)
        b->met = own_not_null(calloc(MAX_WARPS, sizeof *b->met));
    return b->met;
}

/* What one of these warps has seen of single threads, all have. */
static void meet_threads(uint32_t (*seen)[MAX_WARPS * LANES], uint32_t from,
                         uint32_t to)
{
    uint32_t all[MAX_WARPS * LANES] = {0};
    for (uint32_t rest = from; rest; rest &= rest - 1)
        race_join(all, seen[first_lane(rest)], MAX_WARPS * LANES);
    for (uint32_t rest = to; rest; rest &= rest - 1)
        race_join(seen[first_lane(rest)], all, MAX_WARPS * LANES);
}

static void meet(struct block *b, const struct barrier *x, uint32_t waiting)
{
    uint32_t seen[MAX_WARPS] = {0};
    race_met(b);
    for (uint32_t rest = x->warps; rest; rest &= rest - 1) {
        int from = first_lane(rest);
        race_join(seen, b->met[from], MAX_WARPS);
        race_raise(&seen[from], x->when[from]);
    }
    for (uint32_t rest = waiting; rest; rest &= rest - 1)
        race_join(b->met[first_lane(rest)], seen, MAX_WARPS);
    if (b->own)
        meet_threads(b->own, x->warps, waiting);
    if (b->landed)
        meet_threads(b->landed, x->warps, waiting);
}

/* waiting: warps that the barrier lets go. */
void race_barrier(struct block *b, struct barrier *x, uint32_t waiting)
{
    struct race *race = b->warps[0].worker->race;
    bool all = x->arrived >= (x->expected ? b->n_threads : b->live);
    if (all && x->warps == waiting)
        b->floor = ++race->clock;
    else
        meet(b, x, waiting);
    if (run_of(&b->warps[0])->early)
        meet_early(b, x->warps, waiting);
    race_cluster_meet(b, x->warps, waiting);
    race_notes_meet(b, x->warps, waiting);
    for (uint32_t rest = waiting; rest; rest &= rest - 1)
        in_step(&b->warps[first_lane(rest)]);
    race_flags_meet(b, x->warps | waiting);
    if (race_sees_unfenced(run_of(&b->warps[0])))
        race_unfenced_meet(b, x->warps | waiting);
}

/* The question ------------------------------------------------------------ */

/* An access of this block, above its last barrier, by another thread. */
bool race_ordered(struct warp *w, int lane, uint64_t before)
{
    const struct block *b = w->block;
    uint32_t stamp = before >> TAG_STAMP, thread = tag_thread(before);
    uint32_t warp = thread / LANES;
    if (warp == w->index &&
        (stamp < w->full || (w->order && w->order->partial &&
                             stamp < w->order->joint[lane][thread % LANES])))
        return true;
    if (warp != w->index && b->met && stamp < b->met[w->index][warp])
        return true;
    if (b->own && stamp < b->own[w->index][thread])
        return true;
    if (b->landed && stamp < b->landed[w->index][thread] &&
        race_is_copy(run_of(w), before))
        return true;
    /* Most kernels have none of these, and races by the million. */
    return (w->notes &&
            race_notes_cover(w, 1u << lane, w->worker->rank, before)) ||
           (b->seen && race_init_ordered(w, before)) ||
           (run_of(w)->order && race_released(w, 1u << lane, b->index, before));
}
