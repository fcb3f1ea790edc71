// SPDX-License-Identifier: MIT
/*
 * race_flags.c: fences and flags, which order accesses of any two threads.
 *
 *   race_order_open, race_order_close   of a launch whose kernel has a fence
 *   race_fence                          lanes fence
 *   race_release, race_acquire          before a strong write, after a strong
 *                                       read
 *   race_flags_meet                     warps meet at a barrier
 *   race_released                       does a flag say that an access is over?
 *
 * A flag is an atomic or volatile write after a fence: the address then holds a
 * release, which says what its writer's fence covers (of its own thread, its
 * warp, its block; and the flag itself) and what it had seen. Whoever reads the
 * flag by an atomic or volatile access has seen the release, and what that had
 * seen: a graph, searched only for accesses that nothing else orders. It grows
 * by a node per release, and past NODES_MOST everything counts as ordered: a
 * missed race is better than a false one.
 */
#include "race.h"

#include <stdlib.h>

#include "simgpu/core/memory/own.h"
#include "simgpu/host/threads.h"

enum { NODES_MOST = 1 << 20, CHUNK = 1024, TABLE = 1 << 12 };

struct release {
    uint64_t block;        /* index */
    uint32_t thread, stamp; /* of the write that raised the flag */
    struct fence fence;
    const struct release *before[2]; /* what its writer had seen */
    uint64_t mark;         /* of the search that came here last */
};

struct flag { /* an address that holds a release */
    uint64_t key;
    const struct release *by;
    struct flag *next;
};

struct chunk {
    struct chunk *next;
    struct release nodes[CHUNK];
};

struct race_order {
    struct lock *lock;
    struct chunk *chunks;
    size_t n;              /* nodes */
    atomic_bool full;      /* there was no room for one */
    struct flag *table[TABLE];
    atomic_bool any;       /* is there a flag */
    uint64_t mark;
    const struct release **stack;
    size_t room;
};

void race_order_open(struct run *r)
{
    r->order = own_not_null(calloc(1, sizeof *r->order));
    r->order->lock = lock_new();
}

void race_order_close(struct run *r)
{
    struct race_order *o = r->order;
    while (o->chunks) {
        struct chunk *next = o->chunks->next;
        free(o->chunks);
        o->chunks = next;
    }
    for (size_t n = 0; n < TABLE; n++)
        while (o->table[n]) {
            struct flag *next = o->table[n]->next;
            free(o->table[n]);
            o->table[n] = next;
        }
    lock_free(o->lock);
    free(o->stack);
    free(o);
}

/* Fences and flags -------------------------------------------------------- */

static struct fence fence_now(struct warp *w, int lane,
                              enum access_scope scope)
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

void race_fence(struct warp *w, uint32_t mask, enum access_scope scope,
                enum fence_kind kind)
{
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
        *f = fence_now(w, first_lane(rest), scope);
    }
    race_set_stamp(w, mask, ++w->worker->race->clock);
}

static struct release *release_new(struct race_order *o)
{
    if (o->n == NODES_MOST) {
        atomic_store(&o->full, true);
        return NULL;
    }
    if (o->n % CHUNK == 0) {
        struct chunk *c = own_not_null(calloc(1, sizeof *c));
        c->next = o->chunks;
        o->chunks = c;
    }
    return &o->chunks->nodes[o->n++ % CHUNK];
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

/* What a lane has fenced and seen; once until it fences or meets others. */
static void raise_flag(struct warp *w, int lane, uint64_t key)
{
    struct race_order *o = run_of(w)->order;
    const struct fence *f = &race_warp_order(w)->fence[lane];
    struct flag **p = flag_at(o, key);
    if (!*p)
        *p = own_not_null(calloc(1, sizeof **p));
    (*p)->key = key;
    const struct release *old = (*p)->by;
    uint32_t stamp = w->tags[lane] >> TAG_STAMP;
    if (old && is_mine(old, w, lane) && old->stamp == stamp)
        return;
    struct release *new = release_new(o);
    if (!new)
        return;
    *new = (struct release){.block = w->block->index,
                            .thread = thread_of(w, lane), .stamp = stamp,
                            .fence = *f, .before = {w->acquired}};
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

/* *seen has seen what r has, too. */
static void see(struct race_order *o, const struct release **seen,
                const struct release *r)
{
    const struct release *old = *seen;
    if (!r || r == old || (old && (old->before[0] == r ||
                                   old->before[1] == r)))
        return;
    if (!old || r->before[0] == old || r->before[1] == old) {
        *seen = r;
        return;
    }
    struct release *both = release_new(o);
    if (!both)
        return;
    *both = (struct release){.block = UINT64_MAX, .before = {r, old}};
    *seen = both;
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

/* By a lane's access the warp has seen what the address holds. */
static void see_flag(struct warp *w, int lane, uint64_t key)
{
    struct race_order *o = run_of(w)->order;
    const struct flag *f = *flag_at(o, key);
    if (f && f->by && !is_mine(f->by, w, lane))
        see(o, &w->acquired, f->by);
}

void race_release(const struct access *a)
{
    struct warp *w = a->warp;
    struct race_order *o = run_of(w)->order;
    const struct access_form *form = a->form;
    bool atomic = form->kind == ACCESS_ATOMIC;
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
        if (atomic) /* what it sees goes with what it says */
            see_flag(w, l, key);
        if (w->order && w->order->fence[l].own)
            raise_flag(w, l, key);
        else if (!atomic)
            lower_flag(o, key);
    }
    lock_leave(o->lock);
}

void race_acquire(const struct access *a)
{
    struct warp *w = a->warp;
    struct race_order *o = run_of(w)->order;
    if (!o || a->space == PTX_SPACE_LOCAL || !atomic_load(&o->any))
        return;
    lock_take(o->lock);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        see_flag(w, l, key_of(a, l));
    }
    lock_leave(o->lock);
}

void race_flags_meet(struct block *b, uint32_t warps)
{
    struct race_order *o = run_of(&b->warps[0])->order;
    const struct release *all = NULL;
    if (!o || !atomic_load(&o->any))
        return;
    lock_take(o->lock);
    for (uint32_t rest = warps; rest; rest &= rest - 1)
        see(o, &all, b->warps[first_lane(rest)].acquired);
    for (uint32_t rest = warps; rest; rest &= rest - 1)
        b->warps[first_lane(rest)].acquired = all;
    lock_leave(o->lock);
}

/* The question ------------------------------------------------------------ */

/* least: the narrowest scope that reaches from the one to the other. */
static bool covers(const struct release *r, uint64_t block, uint64_t before,
                   enum access_scope least)
{
    uint32_t stamp = before >> TAG_STAMP, thread = tag_thread(before);
    if (r->block != block || r->fence.scope > least)
        return false;
    return stamp < r->fence.block ||
           (thread / LANES == r->thread / LANES && stamp < r->fence.warp) ||
           (thread == r->thread &&
            (stamp < r->fence.own ||
             (stamp == r->stamp && before >> TAG_CLASS & RACE_STRONG_READ)));
}

static void push(struct race_order *o, size_t *n, const struct release *r)
{
    if (!r || r->mark == o->mark)
        return;
    if (*n == o->room) {
        o->room = o->room ? 2 * o->room : 256;
        o->stack = own_not_null(realloc(o->stack, o->room * sizeof *o->stack));
    }
    ((struct release *)r)->mark = o->mark;
    o->stack[(*n)++] = r;
}

static const struct release *search(struct race_order *o,
                                    const struct release *from,
                                    uint64_t block, uint64_t before,
                                    enum access_scope least)
{
    size_t n = 0;
    o->mark++;
    push(o, &n, from);
    while (n) {
        const struct release *r = o->stack[--n];
        if (covers(r, block, before, least))
            return r;
        push(o, &n, r->before[1]);
        push(o, &n, r->before[0]);
    }
    return NULL;
}

bool race_released(struct warp *w, uint64_t block, uint64_t before)
{
    struct race_order *o = run_of(w)->order;
    enum access_scope least = block == w->block->index ? SCOPE_BLOCK
                              : race_peer(w, block)    ? SCOPE_CLUSTER
                                                       : SCOPE_GPU;
    if (!o)
        return false;
    if (atomic_load(&o->full))
        return true;
    if (!w->acquired)
        return false;
    struct warp_order *mine = race_warp_order(w);
    uint32_t at = block % LANES;
    lock_take(o->lock);
    const struct release *known =
        mine->known[at].block == block ? mine->known[at].by : NULL;
    const struct release *r = known && covers(known, block, before, least)
        ? known : search(o, w->acquired, block, before, least);
    if (r) {
        mine->known[at].block = block;
        mine->known[at].by = r;
    }
    lock_leave(o->lock);
    return r;
}
