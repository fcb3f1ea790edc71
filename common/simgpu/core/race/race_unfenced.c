// SPDX-License-Identifier: MIT
/*
 * race_unfenced.c: messages between blocks whose fences are missing.
 *
 *   race_unfenced_open, race_unfenced_close
 *   race_unfenced_write    before a strong write
 *   race_unfenced_read     after a strong read
 *   race_unfenced_sync, race_unfenced_meet
 *                          threads meet at a .sync or a barrier
 *
 * If data and flag are both written and read by volatile or relaxed accesses,
 * PTX has no race, and promises nothing without fences: whoever finds the flag
 * raised may find the data old. Which of a kernel's reads wait for a flag, and
 * which take data, its code says (decode/awaited.c).
 *
 * The hard idea: a second order, beside that of race_flags.c, in which every
 * strong write releases and every awaited read acquires, as if there were a
 * fence at each. If data is taken that was written before by that order, and
 * not by the order of fences, the program means a message, and lacks a fence.
 * Stamps do not tell the order of two stores of one thread, so each strong
 * write has a time, too: data has to be older than the flag that speaks of it.
 *
 * A thread that has seen the data already, before it heard of the flag or as
 * something that it checks, will not find it older than that, so it is not
 * accused. If there are more of them than can be kept, nobody is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu/core/access/place.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"
#include "race_graph.h"

enum { READERS_MOST = 4, JOINS_MOST = 16, FIRST_ROOM = 256 };
/* Atomics in a row on what nobody awaits: a histogram's. Those from there on
 * forget the ones before. */
enum { CHAIN_MOST = 64 };
#define SENT_MOST (1u << 20) /* then further ones are not looked at */

/* The last strong write that began at an address. */
struct sent {
    uint64_t address, tag;
    const struct release *seen;   /* what its writer had awaited; */
    const struct release *before; /* of an atomic, what was there; */
    const struct release *as;     /* itself, once somebody has awaited it */
    struct fence covers;          /* of its thread, its warp, its block */
    uint32_t block, time;         /* block: index + 1 */
    uint32_t chain;               /* atomics in a row */
    uint32_t n_readers;           /* threads that have read it already */
    struct { uint32_t block, thread; } reader[READERS_MOST];
    uint8_t bytes;
    bool swaps;
    bool is_flag;                 /* somebody has awaited what is there */
};

struct race_unfenced {
    struct lock *lock;
    struct race_graph graph;
    struct sent *sent;
    uint32_t n, room;
    uint32_t *at;          /* a table: an index into sent + 1 */
    uint32_t slots;        /* of it: a power of two, more than n */
    uint32_t time;
    bool full;             /* there is no room: nothing is found any more */
};

/* Writes by address ------------------------------------------------------- */

static uint32_t *slot_of(const struct race_unfenced *m, uint64_t address)
{
    uint32_t k = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 32);
    while (m->at[k &= m->slots - 1] &&
           m->sent[m->at[k] - 1].address != address)
        k++;
    return &m->at[k];
}

static void grow(struct race_unfenced *m)
{
    m->room = m->room ? 2 * m->room : FIRST_ROOM;
    m->slots = 2 * m->room;
    m->sent = own_not_null(realloc(m->sent, m->room * sizeof *m->sent));
    free(m->at);
    m->at = own_not_null(calloc(m->slots, sizeof *m->at));
    for (uint32_t k = 0; k < m->n; k++)
        *slot_of(m, m->sent[k].address) = k + 1;
}

static struct sent *find(const struct race_unfenced *m, uint64_t address)
{
    uint32_t k = m->n ? *slot_of(m, address) : 0;
    return k ? &m->sent[k - 1] : NULL;
}

/* NULL: there is no room. */
static struct sent *find_or_add(struct race_unfenced *m, uint64_t address)
{
    struct sent *s = find(m, address);
    if (s || m->n == SENT_MOST)
        return s;
    if (m->n == m->room)
        grow(m);
    s = &m->sent[m->n++];
    *s = (struct sent){.address = address};
    *slot_of(m, address) = m->n;
    return s;
}

void race_unfenced_open(struct run *r)
{
    r->unfenced = own_not_null(calloc(1, sizeof *r->unfenced));
    r->unfenced->lock = lock_new();
}

void race_unfenced_close(struct run *r)
{
    struct race_unfenced *m = r->unfenced;
    if (!m)
        return;
    race_graph_free(&m->graph);
    lock_free(m->lock);
    free(m->sent);
    free(m->at);
    free(m);
    r->unfenced = NULL;
}

/* The order as if there were fences --------------------------------------- */

/* *seen has seen what r has, too. */
static void see(struct race_unfenced *m, const struct release **seen,
                const struct release *r)
{
    m->full |= !race_graph_see(&m->graph, seen, r);
}

static const struct release *release_of(struct race_unfenced *m,
                                        struct sent *s)
{
    if (s->as)
        return s->as;
    const struct release x = {.block = s->block - 1,
                              .thread = tag_thread(s->tag),
                              .stamp = s->tag >> TAG_STAMP, .fence = s->covers,
                              .time = s->time, .before = {s->seen, s->before}};
    s->as = race_graph_add(&m->graph, &x);
    m->full |= !s->as;
    return s->as;
}

/* Threads that look at several flags in turn hear of each again and again. */
static bool has_heard(const struct release *all, const struct release *r)
{
    for (int n = 0; all && n < JOINS_MOST; n++) {
        if (all == r || all->before[0] == r)
            return true;
        if (all->block != UINT64_MAX)
            return false;
        all = all->before[1];
    }
    return false;
}

static bool is_mine(const struct sent *s, const struct warp *w, int lane)
{
    return s->block == w->block->index + 1 &&
           tag_thread(s->tag) == w->index * LANES + (uint32_t)lane;
}

static void hear(struct race_unfenced *m, struct warp *w, int lane,
                 struct sent *s)
{
    struct warp_order *mind = race_warp_order(w);
    s->is_flag = true;
    if (is_mine(s, w, lane))
        return;
    const struct release *r = release_of(m, s);
    if (r == mind->heard_last[lane])
        return;
    mind->heard_last[lane] = r;
    if (!has_heard(mind->awaited[lane], r))
        see(m, &mind->awaited[lane], r);
}

/* What all of these lanes know, each does. */
static void join_lanes(struct race_unfenced *m, struct warp *w, uint32_t lanes,
                       const struct release **all)
{
    const struct release *last = NULL;
    for (uint32_t rest = w->order ? lanes : 0; rest; rest &= rest - 1) {
        const struct release *r = w->order->awaited[first_lane(rest)];
        if (r != last)
            see(m, all, r);
        last = r;
    }
}

static void tell_lanes(struct warp *w, uint32_t lanes,
                       const struct release *all)
{
    struct warp_order *mind = race_warp_order(w);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        mind->awaited[first_lane(rest)] = all;
}

void race_unfenced_sync(struct warp *w, uint32_t members)
{
    struct race_unfenced *m = run_of(w)->unfenced;
    const struct release *all = NULL;
    if (!w->order)
        return;
    lock_take(m->lock);
    join_lanes(m, w, members, &all);
    if (all)
        tell_lanes(w, members, all);
    lock_leave(m->lock);
}

void race_unfenced_meet(struct block *b, uint32_t warps)
{
    struct race_unfenced *m = run_of(&b->warps[0])->unfenced;
    const struct release *all = NULL;
    lock_take(m->lock);
    for (uint32_t rest = warps; rest; rest &= rest - 1)
        join_lanes(m, &b->warps[first_lane(rest)], (uint32_t)FULL, &all);
    for (uint32_t rest = all ? warps : 0; rest; rest &= rest - 1)
        tell_lanes(&b->warps[first_lane(rest)], (uint32_t)FULL, all);
    lock_leave(m->lock);
}

/* Writes ------------------------------------------------------------------ */

static void write_at(struct race_unfenced *m, const struct access *a, int lane,
                     uint64_t address)
{
    struct warp *w = a->warp;
    const struct access_form *f = a->form;
    struct sent *s = find_or_add(m, address);
    if (!s)
        return;
    const struct release *before = NULL;
    bool atomic = f->kind == ACCESS_ATOMIC;
    if (s->block && f->awaited)
        hear(m, w, lane, s);
    if (s->block && atomic && (s->is_flag || s->chain < CHAIN_MOST))
        before = release_of(m, s);
    *s = (struct sent){
        .address = address, .tag = race_tag(a, lane),
        .seen = w->order ? w->order->awaited[lane] : NULL, .before = before,
        .covers = race_fence_now(w, lane, SCOPE_SYSTEM),
        .block = (uint32_t)w->block->index + 1, .time = ++m->time,
        .bytes = f->size, .swaps = f->swaps, .is_flag = s->is_flag,
        .chain = atomic ? s->chain + 1 : 0};
    m->full |= m->time == UINT32_MAX;
}

/* Of an atomic that is repeated until it finds what it waits for, the finding
 * counts alone. */
static bool only_looks(const struct access_form *f)
{
    return f->kind == ACCESS_ATOMIC && f->awaited == AWAITED_IN_LOOP;
}

/* Each element of each lane. */
static void each(const struct access *a,
                 void (*what)(struct race_unfenced *m, const struct access *a,
                              int lane, uint64_t address))
{
    struct race_unfenced *m = run_of(a->warp)->unfenced;
    if (a->space != PTX_SPACE_GLOBAL)
        return;
    lock_take(m->lock);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        for (unsigned e = 0; !m->full && e < a->form->n; e++)
            what(m, a, first_lane(rest),
                 a->addr[first_lane(rest)] + e * a->form->size);
    lock_leave(m->lock);
}

void race_unfenced_write(const struct access *a)
{
    if (!only_looks(a->form))
        each(a, write_at);
}

/* Reads ------------------------------------------------------------------- */

static bool has_read(const struct sent *s, const struct warp *w, int lane)
{
    uint32_t block = (uint32_t)w->block->index;
    for (uint32_t k = 0; k < s->n_readers && k < READERS_MOST; k++)
        if (s->reader[k].block == block &&
            s->reader[k].thread == w->index * LANES + (uint32_t)lane)
            return true;
    return s->n_readers > READERS_MOST;
}

static void note_reader(struct sent *s, const struct warp *w, int lane)
{
    uint32_t k = s->n_readers;
    if (k < READERS_MOST) {
        s->reader[k].block = (uint32_t)w->block->index;
        s->reader[k].thread = w->index * LANES + (uint32_t)lane;
    }
    s->n_readers += k <= READERS_MOST;
}

/* A write that is no flag itself counts only if a fence came behind it. */
static uint64_t as_data(uint64_t tag)
{
    return tag & ~((uint64_t)RACE_STRONG_READ << TAG_CLASS);
}

static bool is_fenced(struct warp *w, int lane, const struct sent *s)
{
    uint64_t block = s->block - 1, tag = s->as ? s->tag : as_data(s->tag);
    const struct worker *peer = race_peer(w, block);
    return (peer && race_peer_ordered(w, 1u << lane, peer->rank, s->tag)) ||
           race_released(w, 1u << lane, block, tag);
}

static void accuse(const struct access *a, int lane, const struct sent *s)
{
    struct warp *w = a->warp;
    struct run *r = run_of(w);
    struct hit hit = {hit_pair(FIND_UNFENCED, a->form->site,
                               s->tag & SITE_MASK), s->address,
                      w->block->index, w->index * LANES + (uint32_t)lane,
                      w->worker->order};
    if (found_again(w->worker, &hit))
        return;
    struct finding x = {.space = PTX_SPACE_GLOBAL, .address = s->address,
                        .bytes = a->bytes, .other = race_site_of(r, s->tag)};
    uint32_t id[3];
    race_block_at(r->launch->grid, s->block - 1, id);
    place_about_global(r->engine, s->address, &x);
    int n = snprintf(x.detail, sizeof x.detail,
                     "that one in block (%u,%u,%u), and ", id[0], id[1],
                     id[2]);
    char *text = x.detail + n;
    size_t room = sizeof x.detail - (size_t)n;
    *text = '\0';
    race_why(w, s->block - 1, as_data(s->tag), text, room);
    if (!*text)
        snprintf(text, room, "a flag says that it is over, but no "
                 "__threadfence() came between it and the write of "
                 "the flag: both sides need one");
    access_finding(a, lane, FIND_UNFENCED, &x);
    found_remember(w->worker, &hit);
}

static void read_at(struct race_unfenced *m, const struct access *a, int lane,
                    uint64_t address)
{
    struct warp *w = a->warp;
    struct sent *s = find(m, address);
    if (!s || s->bytes != a->form->size)
        return;
    if (a->form->awaited)
        hear(m, w, lane, s);
    if (s->block == w->block->index + 1 || s->swaps || has_read(s, w, lane) ||
        is_fenced(w, lane, s))
        return;
    if (a->form->taken && w->order &&
        race_graph_search_since(&m->graph, w->order->awaited[lane],
                                s->block - 1, s->tag, s->time + 1,
                                SIZE_MAX))
        accuse(a, lane, s);
    else
        note_reader(s, w, lane);
}

/* An atomic has been announced before it was done, and others may have come in
 * between. */
void race_unfenced_read(const struct access *a)
{
    if (a->form->kind == ACCESS_LOAD || a->form->awaited)
        each(a, read_at);
}
