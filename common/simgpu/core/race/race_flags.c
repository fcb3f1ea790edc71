// SPDX-License-Identifier: MIT
/*
 * race_flags.c: fences and flags, which order accesses of any two threads.
 *
 *   race_order_open, race_order_close   of a launch whose kernel has a fence
 *   race_fence                          lanes fence
 *   race_release, race_acquire          before a strong write, after a strong
 *                                       read
 *   race_flags_meet, race_flags_sync    threads meet at a barrier or .sync
 *   race_learn                          lanes know what a release says
 *   race_released, race_released_soon   does a flag say that an access is over?
 *   race_why                            what is missing
 *
 * A flag is an atomic or volatile write after a fence: the address then holds a
 * release, which says what its writer's fence covers (of its own thread, its
 * warp, its block; and the flag itself) and what it had seen. Whoever reads the
 * flag by an atomic or volatile access and fences after that (or reads it by
 * an acquire) has seen the release, and what that had seen: a graph, searched
 * only for accesses that nothing else orders. The scopes of both fences and
 * both accesses must reach from the one to the other. An atomic operation on a
 * flag passes on what the flag said before. Threads that fence and then meet at
 * a barrier have fenced for each other: any of them may raise the flag. So have
 * the lanes of a warp, if all of them fence and then meet at a .sync.
 *
 * The graph (race_graph.h) grows by a node per release, and when it is full
 * everything counts as ordered: a missed race is better than a false one.
 */
#include "race_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/own.h"
#include "simgpu/host/threads.h"

enum { TABLE = 1 << 12 };

enum { FENCED_BY_OTHERS = 1 }; /* a stamp below all: covers nothing itself */

struct flag { /* an address that holds a release */
    uint64_t key;
    const struct release *by;
    struct flag *next;
};

struct race_order {
    struct lock *lock;
    struct race_graph graph;
    struct fenced *fenced;
    atomic_bool full;      /* there was no room for one */
    struct flag *table[TABLE];
    atomic_bool any;       /* is there a flag */
};

void race_order_open(struct run *r)
{
    r->order = own_not_null(calloc(1, sizeof *r->order));
    r->order->lock = lock_new();
}

void race_order_close(struct run *r)
{
    struct race_order *o = r->order;
    race_graph_free(&o->graph);
    while (o->fenced) {
        struct fenced *next = o->fenced->next;
        free(o->fenced);
        o->fenced = next;
    }
    for (size_t n = 0; n < TABLE; n++)
        while (o->table[n]) {
            struct flag *next = o->table[n]->next;
            free(o->table[n]);
            o->table[n] = next;
        }
    lock_free(o->lock);
    free(o);
}

/* Fences and flags -------------------------------------------------------- */

struct fence race_fence_now(struct warp *w, int lane, enum access_scope scope)
{
    const struct block *b = w->block;
    struct fence f = {.own = w->worker->race->clock, .block = b->floor,
                      .warp = w->full, .scope = (uint8_t)scope};
    race_raise(&f.warp, race_warp_order(w)->last[lane]);
    race_raise(&f.block, race_notes_block(w, lane));
    for (int a = 0; b->met && a < MAX_WARPS; a++)
        race_raise(&f.block, b->met[w->index][a]);
    return f;
}

/* *seen has seen what r has, too. */
static void see(struct race_order *o, const struct release **seen,
                const struct release *r)
{
    if (!race_graph_see(&o->graph, seen, r))
        atomic_store(&o->full, true);
}

/* These lanes know what r says; the warp does once all of them do. If there are
 * too many such notes, the oldest becomes the warp's: that can hide a race. */
static void learn(struct race_order *o, struct warp *w, uint32_t lanes,
                  const struct release *r)
{
    struct heard *alone = race_warp_order(w)->alone;
    int k = 0;
    while (k < HEARD_ALONE && alone[k].lanes && alone[k].by != r &&
           alone[k].lanes != lanes)
        k++;
    if (k == HEARD_ALONE) {
        see(o, &w->acquired, alone[0].by);
        memmove(alone, alone + 1, --k * sizeof *alone);
        alone[k] = (struct heard){0};
    }
    see(o, &alone[k].by, r);
    alone[k].lanes |= lanes;
    if ((alone[k].lanes | w->dead) != (uint32_t)FULL)
        return;
    see(o, &w->acquired, alone[k].by);
    memmove(alone + k, alone + k + 1,
            (size_t)(HEARD_ALONE - 1 - k) * sizeof *alone);
    alone[HEARD_ALONE - 1] = (struct heard){0};
}

void race_learn(struct warp *w, uint32_t lanes, const struct release *r)
{
    struct race_order *o = run_of(w)->order;
    if (!o || !r || r == w->acquired)
        return;
    lock_take(o->lock);
    learn(o, w, lanes, r);
    lock_leave(o->lock);
}

/* What lanes have read of flags counts from their fence on. */
static void hear(struct warp *w, uint32_t lanes, enum access_scope scope)
{
    struct warp_order *mind = race_warp_order(w);
    struct race_order *o = run_of(w)->order;
    for (int need = scope; need < SCOPES; need++) {
        struct heard *h = &mind->heard[need];
        if (!o || !h->by || !(h->lanes & lanes))
            continue;
        lock_take(o->lock);
        learn(o, w, h->lanes & lanes, h->by);
        lock_leave(o->lock);
        race_not_early(w); /* whoever raised it may have waited */
        h->lanes &= ~lanes;
        if (!h->lanes)
            h->by = NULL;
    }
}

void race_fence(struct warp *w, uint32_t mask, enum access_scope scope,
                enum fence_kind kind)
{
    if (kind == FENCE_GRID) {
        race_not_early(w);
        return;
    }
    if (kind >= FENCE_PROXY) {
        race_proxy_fence(w, mask, kind);
        return;
    }
    if (!run_of(w)->order && kind == FENCE_THREADS)
        return;
    struct warp_order *o = race_warp_order(w);
    ++w->worker->race->clock;
    if (kind == FENCE_THREADS && w->notes)
        race_notes_fence(w, mask);
    if (kind == FENCE_INIT) {
        o->inits = w->worker->race->clock;
        race_set_stamp(w, mask, ++w->worker->race->clock);
        return;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct fence *f = &o->fence[first_lane(rest)];
        *f = race_fence_now(w, first_lane(rest), scope);
    }
    hear(w, mask, scope);
    o->fenced_apart = true;
    if (scope <= SCOPE_GPU)
        o->fenced |= mask;
    race_set_stamp(w, mask, ++w->worker->race->clock);
}

static const struct release *add(struct race_order *o,
                                 const struct release *x)
{
    const struct release *new = race_graph_add(&o->graph, x);
    if (!new)
        atomic_store(&o->full, true);
    return new;
}

static uint64_t key_of(const struct access *a, int lane)
{
    const struct block *b = a->peer ? &a->peer->block : a->warp->block;
    uint64_t address = a->addr[lane];
    return a->space == PTX_SPACE_SHARED ? ~b->index << 32 ^ address : address;
}

static struct flag **flag_at(struct race_order *o, uint64_t key)
{
    struct flag **p = &o->table[(key * 0x9e3779b97f4a7c15u) >> 52];
    while (*p && (*p)->key != key)
        p = &(*p)->next;
    return p;
}

static uint32_t thread_of(const struct warp *w, int lane)
{
    return w->index * LANES + (uint32_t)lane;
}

static bool is_mine(const struct release *r, const struct warp *w, int lane)
{
    return r->block == w->block->index && r->thread == thread_of(w, lane);
}

/* *to has seen what these lanes alone know. */
static void see_alone(struct race_order *o, const struct warp *w,
                      uint32_t lanes, const struct release **to)
{
    for (int k = 0; w->order && k < HEARD_ALONE; k++)
        if (w->order->alone[k].lanes & lanes)
            see(o, to, w->order->alone[k].by);
}

void race_see_known(struct warp *w, uint32_t lanes, const struct release **to)
{
    struct race_order *o = run_of(w)->order;
    if (!o)
        return;
    lock_take(o->lock);
    see(o, to, w->acquired);
    see_alone(o, w, lanes, to);
    lock_leave(o->lock);
}

/* The narrowest scope that reaches from a block to the warp. */
static enum access_scope reach(struct warp *w, uint64_t block)
{
    return block == w->block->index ? SCOPE_BLOCK
           : race_peer(w, block)    ? SCOPE_CLUSTER
                                    : SCOPE_GPU;
}

/* Do the scopes of a release, and of the access that finds it? */
static bool reaches(const struct access *a, const struct release *r)
{
    enum access_scope need = reach(a->warp, r->block);
    return r->fence.scope <= need &&
           (a->form->scope <= need || a->space == PTX_SPACE_SHARED);
}

/* What a lane has fenced and seen; once until it fences or meets others. An
 * atomic passes on what it found, unless a scope ends before it. */
static void raise_flag(const struct access *a, int lane, uint64_t key)
{
    struct warp *w = a->warp;
    struct race_order *o = run_of(w)->order;
    struct fence f = race_warp_order(w)->fence[lane];
    struct flag **p = flag_at(o, key);
    if (!*p)
        *p = own_not_null(calloc(1, sizeof **p));
    (*p)->key = key;
    const struct release *old = (*p)->by;
    uint32_t stamp = w->tags[lane] >> TAG_STAMP;
    if (old && is_mine(old, w, lane) && old->stamp == stamp)
        return;
    if (a->space != PTX_SPACE_SHARED && f.scope < a->form->scope)
        f.scope = a->form->scope;
    if (w->order->by_all.scope <= f.scope)
        race_raise(&f.warp, w->order->by_all.own);
    if (a->form->kind != ACCESS_ATOMIC ||
        (old && (is_mine(old, w, lane) || !reaches(a, old))))
        old = NULL;
    const struct release *known = w->acquired;
    see_alone(o, w, 1u << lane, &known);
    const struct release raised = {.block = w->block->index,
                                   .thread = thread_of(w, lane),
                                   .stamp = stamp, .fence = f,
                                   .before = {known, old}};
    const struct release *new = add(o, &raised);
    if (!new)
        return;
    (*p)->by = new;
    atomic_store(&o->any, true);
}

/* A plain write to a flag ends what it said: only fenced ones count. */
static void lower_flag(struct race_order *o, uint64_t key)
{
    struct flag **p = flag_at(o, key);
    if (*p)
        (*p)->by = NULL;
}

void race_see_flags(struct warp *w, const struct release **to,
                    const struct release *from)
{
    struct race_order *o = run_of(w)->order;
    if (!o || !from)
        return;
    lock_take(o->lock);
    see(o, to, from);
    lock_leave(o->lock);
}

/* A lane has read what the address holds. */
static void read_flag(const struct access *a, int lane, uint64_t key)
{
    struct warp *w = a->warp;
    struct race_order *o = run_of(w)->order;
    const struct flag *f = *flag_at(o, key);
    const struct release *r = f ? f->by : NULL;
    while (r && is_mine(r, w, lane)) /* my own atomic, on what it found */
        r = r->before[1];
    if (!r || r == w->acquired)
        return;
    enum access_scope need = reach(w, r->block);
    struct warp_order *mind = race_warp_order(w);
    if (!reaches(a, r)) {
        mind->too_narrow = r;
        return;
    }
    if (a->form->acquire) {
        learn(o, w, 1u << lane, r);
        race_not_early(w);
        return;
    }
    see(o, &mind->heard[need].by, r);
    mind->heard[need].lanes |= 1u << lane;
}

void race_release(const struct access *a)
{
    struct warp *w = a->warp;
    struct race_order *o = run_of(w)->order;
    const struct access_form *form = a->form;
    bool atomic = form->kind == ACCESS_ATOMIC;
    if (race_sees_unfenced(run_of(w)))
        race_unfenced_write(a);
    if (!o || a->space == PTX_SPACE_LOCAL)
        return;
    if (form->release)
        race_fence(w, a->mask, (enum access_scope)form->scope, FENCE_THREADS);
    if (!w->order && !atomic_load(&o->any))
        return;
    lock_take(o->lock);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t key = key_of(a, l);
        if (atomic)
            read_flag(a, l, key);
        if (w->order && w->order->fence[l].own)
            raise_flag(a, l, key);
        else if (!atomic)
            lower_flag(o, key);
    }
    lock_leave(o->lock);
}

void race_acquire(const struct access *a)
{
    struct warp *w = a->warp;
    struct race_order *o = run_of(w)->order;
    bool any = o && a->space != PTX_SPACE_LOCAL && atomic_load(&o->any);
    if (any)
        lock_take(o->lock);
    for (uint32_t rest = any ? a->mask : 0; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        read_flag(a, l, key_of(a, l));
    }
    if (any)
        lock_leave(o->lock);
    if (race_sees_unfenced(run_of(w)))
        race_unfenced_read(a);
}

/* Meeting ----------------------------------------------------------------- */

static void add_warp(struct fenced *f, struct warp *w)
{
    struct warp_order *o = w->order;
    uint32_t n = w->index;
    f->lanes[n] = o->fenced;
    f->own[n] = UINT32_MAX;
    for (uint32_t rest = o->fenced; rest; rest &= rest - 1) {
        const struct fence *x = &o->fence[first_lane(rest)];
        f->own[n] = x->own < f->own[n] ? x->own : f->own[n];
        race_raise(&f->warp[n], x->warp);
        race_raise(&f->floor, x->block);
    }
    o->fenced = 0;
}

/* What the threads of these warps have fenced since the last barrier, as a
 * node; NULL: nothing. */
static const struct release *all_fenced(struct block *b, uint32_t warps)
{
    struct race_order *o = run_of(&b->warps[0])->order;
    struct fenced *f = NULL;
    for (uint32_t rest = warps; rest; rest &= rest - 1) {
        struct warp *w = &b->warps[first_lane(rest)];
        if (!w->order || !w->order->fenced)
            continue;
        if (!f)
            f = own_not_null(calloc(1, sizeof *f));
        add_warp(f, w);
    }
    if (!f)
        return NULL;
    f->next = o->fenced;
    o->fenced = f;
    const struct release met = {.block = b->index, .thread = UINT32_MAX,
                                .fenced = f};
    return add(o, &met);
}

/* Any of these threads may raise a flag for all that fenced. */
static void fenced_for(struct warp *w)
{
    struct warp_order *o = race_warp_order(w);
    for (int l = 0; l < LANES; l++)
        if (!o->fence[l].own)
            o->fence[l] = (struct fence){.own = FENCED_BY_OTHERS,
                                         .scope = SCOPE_GPU};
}

/* What one has read and not fenced, all have. */
static void meet_heard(struct block *b, uint32_t warps, int need)
{
    struct race_order *o = run_of(&b->warps[0])->order;
    const struct release *all = NULL;
    for (uint32_t rest = warps; rest; rest &= rest - 1) {
        const struct warp_order *mind = b->warps[first_lane(rest)].order;
        if (mind)
            see(o, &all, mind->heard[need].by);
    }
    for (uint32_t rest = all ? warps : 0; rest; rest &= rest - 1)
        race_warp_order(&b->warps[first_lane(rest)])->heard[need] =
            (struct heard){all, (uint32_t)FULL};
}

static void meet_known(struct race_order *o, struct warp *w,
                       const struct release **all)
{
    see(o, all, w->acquired);
    see_alone(o, w, (uint32_t)FULL, all);
    if (w->order)
        memset(w->order->alone, 0, sizeof w->order->alone);
}

void race_flags_meet(struct block *b, uint32_t warps)
{
    struct race_order *o = run_of(&b->warps[0])->order;
    const struct release *all = NULL;
    if (!o)
        return;
    lock_take(o->lock);
    const struct release *fenced = all_fenced(b, warps);
    for (uint32_t rest = warps; rest; rest &= rest - 1)
        meet_known(o, &b->warps[first_lane(rest)], &all);
    see(o, &all, fenced);
    for (uint32_t rest = warps; rest; rest &= rest - 1) {
        struct warp *w = &b->warps[first_lane(rest)];
        w->acquired = all;
        if (fenced)
            fenced_for(w);
    }
    for (int need = SCOPE_GPU; need < SCOPES && atomic_load(&o->any); need++)
        meet_heard(b, warps, need);
    lock_leave(o->lock);
}

/* What one of the members knows, all do. */
static void sync_alone(struct warp *w, uint32_t members)
{
    struct race_order *o = run_of(w)->order;
    struct heard *alone = w->order->alone;
    if (!o || !alone[0].lanes)
        return;
    lock_take(o->lock);
    for (int k = HEARD_ALONE - 1; k >= 0; k--)
        if (alone[k].lanes & members)
            learn(o, w, alone[k].lanes | members, alone[k].by);
    lock_leave(o->lock);
}

/* If each lane of the warp has fenced before all meet, any of them may raise a
 * flag for all. */
static void fenced_by_all(struct warp *w, uint32_t members)
{
    struct fence all = {.own = UINT32_MAX};
    if (!w->order->fenced_apart || (members | w->dead) != (uint32_t)FULL)
        return;
    w->order->fenced_apart = false;
    for (uint32_t rest = members & ~w->dead; rest; rest &= rest - 1) {
        const struct fence *f = &w->order->fence[first_lane(rest)];
        all.own = f->own < all.own ? f->own : all.own;
        all.scope = f->scope > all.scope ? f->scope : all.scope;
    }
    if (all.own > FENCED_BY_OTHERS)
        w->order->by_all = all;
}

void race_flags_sync(struct warp *w, uint32_t members)
{
    fenced_by_all(w, members);
    for (int need = SCOPE_GPU; w->order && need < SCOPES; need++)
        if (w->order->heard[need].lanes & members)
            w->order->heard[need].lanes |= members;
    sync_alone(w, members);
}

/* The question ------------------------------------------------------------ */

enum { SOON = 100 }; /* releases */

static const struct release *search(struct race_order *o,
                                    const struct release *from,
                                    uint64_t block, uint64_t before)
{
    return race_graph_search(&o->graph, from, block, before);
}

static const struct release *search_some(struct race_order *o,
                                         const struct release *from,
                                         uint64_t block, uint64_t before,
                                         size_t most)
{
    return race_graph_search_since(&o->graph, from, block, before, 0, most);
}

/* Of what some lanes alone know. */
static bool released_alone(struct race_order *o, const struct warp *w,
                           uint32_t lanes, uint64_t block, uint64_t before,
                           size_t most)
{
    bool released = false;
    for (int k = 0; !released && k < HEARD_ALONE; k++)
        released = w->order->alone[k].lanes & lanes &&
                   search_some(o, w->order->alone[k].by, block, before, most);
    return released;
}

static bool is_released(struct warp *w, uint32_t lanes, uint64_t block,
                        uint64_t before, size_t most)
{
    struct race_order *o = run_of(w)->order;
    if (!o)
        return false;
    if (atomic_load(&o->full))
        return true;
    struct warp_order *mine = race_warp_order(w);
    if (!w->acquired && !mine->alone[0].lanes)
        return false;
    const struct release **known = &mine->known[block % LANES];
    lock_take(o->lock);
    if (!*known || !race_graph_covers(*known, block, before))
        *known = search_some(o, w->acquired, block, before, most);
    bool released = *known ||
                    released_alone(o, w, lanes, block, before, most);
    lock_leave(o->lock);
    return released;
}

bool race_released(struct warp *w, uint32_t lanes, uint64_t block,
                   uint64_t before)
{
    return is_released(w, lanes, block, before, SIZE_MAX);
}

bool race_released_soon(struct warp *w, uint32_t lanes, uint64_t block,
                        uint64_t before)
{
    return is_released(w, lanes, block, before, SOON);
}

void race_why(struct warp *w, uint64_t block, uint64_t before, char *text,
              size_t size)
{
    struct race_order *o = run_of(w)->order;
    const struct warp_order *mind = w->order;
    if (!o || !mind)
        return;
    lock_take(o->lock);
    for (int need = SCOPE_GPU; need < SCOPES; need++)
        if (mind->heard[need].by &&
            search(o, mind->heard[need].by, block, before)) {
            snprintf(text, size, "a flag says that it is over, but no %s came "
                     "between reading the flag and this access",
                     need == SCOPE_BLOCK ? "__threadfence_block()"
                                         : "__threadfence()");
            break;
        }
    if (!*text && released_alone(o, w, (uint32_t)FULL, block, before,
                                 SIZE_MAX))
        snprintf(text, size, "a flag says that it is over, but another lane "
                 "of the warp has read it, and no __syncwarp() came since");
    if (!*text && mind->too_narrow &&
        search(o, mind->too_narrow, block, before))
        snprintf(text, size, "a flag says that it is over, but the scope of "
                 "its fence or of its accesses ends at the block");
    lock_leave(o->lock);
}
