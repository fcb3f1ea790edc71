// SPDX-License-Identifier: MIT
/*
 * barrier.c: barriers of a block, fences, and deadlocks. Interface: sync.h.
 *
 * A barrier counts the threads that have come, and lets all leaves that wait at
 * it go when nobody is missing: as many as it names, or all that live.
 */
#include "cluster.h"

#include <string.h>

#include "control.h"
#include "mbarrier_object.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"
#include "sync.h"

const struct inst *op_fence(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    atomic_thread_fence(memory_order_seq_cst);
    observe_fence(w, mask, (enum access_scope)i->p0, (enum fence_kind)i->p1);
    return i + 1;
}

/* Barriers of the block. a: which, b: how many threads (p0: b is given). */

static bool is_complete(const struct block *b, const struct barrier *x)
{
    uint32_t needed = x->expected ? x->expected : b->live;
    return x->arrived && x->arrived >= needed;
}

static void write_reduction(const struct node *n, const struct barrier *x)
{
    const struct inst *i = n->pc;
    uint32_t *d = (uint32_t *)(n->frame->regs + i->d);
    if (i->detail->op == BARRIER_POPC) {
        for (uint32_t rest = n->mask; rest; rest &= rest - 1)
            d[first_lane(rest)] = x->reduce_count;
        return;
    }
    bool p = i->detail->op == BARRIER_AND ? x->reduce_count == x->arrived
                                          : x->reduce_count != 0;
    *d = (*d & ~n->mask) | (p ? n->mask : 0);
}

/* Another leaf of the warp that waits there, at another instruction. */
static const struct node *elsewhere(const struct warp *w, const struct node *n)
{
    for (const struct node *o = w->leaves; o; o = o->next)
        if (o->state == NODE_BARRIER && o->barrier == n->barrier &&
            o->pc != n->pc)
            return o;
    return NULL;
}

/* A barrier that is .aligned (imm) wants all lanes of a warp at one
 * instruction; PTX leaves undefined what happens otherwise. */
static void accuse_parted(struct warp *w, int id)
{
    uint8_t *regs = w->regs;
    struct node *leaf = w->leaf;
    for (struct node *n = w->leaves; n; n = n->next) {
        bool here = n->state == NODE_BARRIER && n->barrier == id;
        const struct node *other = here ? elsewhere(w, n) : NULL;
        if (!other || n->pc->fn != op_barrier || !n->pc->imm)
            continue;
        struct finding x = {0};
        snprintf(x.detail, sizeof x.detail,
                 "lanes 0x%08x of the warp wait here, and lanes 0x%08x at "
                 "another __syncthreads()", n->mask, other->mask);
        w->leaf = n;
        w->regs = n->frame->regs;
        finding_add(w, n->pc, first_lane(n->mask), FIND_BARRIER, &x);
    }
    w->leaf = leaf;
    w->regs = regs;
}

static bool same_line(const struct source *a, const struct source *b)
{
    return a->line == b->line &&
           (a->file == b->file ||
            (a->file && b->file && strcmp(a->file, b->file) == 0));
}

static const struct source *line_of(const struct node *n)
{
    return finding_source(n->frame->function, n->pc);
}

/* Warps that wait at different lines: PTX lets them meet, but whoever wrote
 * them wanted all warps at each. */
static void note_parted(struct block *b, int id)
{
    const struct source *first = NULL;
    uint32_t of = 0; /* the warp that waits at it */
    for (uint32_t k = 0; k < b->n_warps; k++) {
        struct warp *w = &b->warps[k];
        struct node *leaf = w->leaf;
        uint8_t *regs = w->regs;
        for (struct node *n = w->leaves; n; n = n->next) {
            if (n->state != NODE_BARRIER || n->barrier != id)
                continue;
            const struct source *at = line_of(n);
            if (!first) {
                first = at;
                of = k;
            }
            if (k == of || same_line(first, at))
                continue;
            struct finding x = {0};
            snprintf(x.detail, sizeof x.detail,
                     "other warps of the block wait at line %d, and go on with "
                     "those that wait here", first->line);
            w->leaf = n;
            w->regs = n->frame->regs;
            finding_add(w, n->pc, first_lane(n->mask), FIND_PARTED, &x);
            w->leaf = leaf;
            w->regs = regs;
            return;
        }
    }
}

static void release(struct block *b, int id)
{
    struct barrier *x = &b->barriers[id];
    uint32_t waiting = 0;
    if (!x->expected)
        note_parted(b, id);
    for (uint32_t k = 0; k < b->n_warps; k++) {
        leaf_merge_waiting(&b->warps[k], NODE_BARRIER);
        accuse_parted(&b->warps[k], id);
        for (struct node *n = b->warps[k].leaves; n; n = n->next) {
            if (n->state != NODE_BARRIER || n->barrier != id)
                continue;
            if (n->pc->fn == op_barrier_reduce)
                write_reduction(n, x);
            n->state = NODE_RUN;
            n->pc++;
            waiting |= 1u << k;
        }
    }
    observe_barrier(b, x, waiting);
    *x = (struct barrier){0};
}

bool barrier_recheck(struct block *b)
{
    bool any = false;
    for (int id = 0; id < MAX_BARRIERS; id++)
        if (b->barriers[id].arrived && is_complete(b, &b->barriers[id])) {
            release(b, id);
            any = true;
        }
    return any;
}

/* With a thread count, hardware counts whole warps. */
static uint32_t threads_of(const struct warp *w, uint32_t mask, bool counted)
{
    bool whole = (mask | w->dead) == (uint32_t)FULL;
    return counted && whole ? LANES : (uint32_t)__builtin_popcount(mask);
}

static uint32_t count_of(const struct block *b, uint32_t expected)
{
    return expected ? expected : b->n_threads;
}

/* What the PTX ISA leaves undefined ("bar, barrier"): true, with words. */
static bool is_misused(const struct warp *w, const struct inst *i,
                       uint32_t mask, struct finding *x)
{
    const uint32_t *ids = slot(w, i->a), *counts = slot(w, i->b);
    int l = first_lane(mask);
    uint32_t id = ids[l], count = i->p0 ? counts[l] : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int k = first_lane(rest);
        if (ids[k] != id || (i->p0 && counts[k] != count)) {
            snprintf(x->detail, sizeof x->detail,
                     "lanes of one warp name different barriers or counts");
            return true;
        }
    }
    if (id >= MAX_BARRIERS) {
        snprintf(x->detail, sizeof x->detail,
                 "barrier %u: there are 16, from 0 to 15", id);
        return true;
    }
    if (i->p0 && (!count || count % LANES)) {
        snprintf(x->detail, sizeof x->detail,
                 "%u threads: a barrier's count is a multiple of 32", count);
        return true;
    }
    const struct barrier *bar = &w->block->barriers[id];
    if (bar->arrived && count_of(w->block, bar->expected) !=
                            count_of(w->block, count)) {
        snprintf(x->detail, sizeof x->detail,
                 "barrier %u: this warp says %u threads, one that waits there "
                 "%u", id, count_of(w->block, count),
                 count_of(w->block, bar->expected));
        return true;
    }
    return false;
}

/* Which barrier; negative: the launch ends. */
static int arrive_barrier(struct warp *w, const struct inst *i, uint32_t mask)
{
    int l = first_lane(mask);
    struct finding wrong = {0};
    if (is_misused(w, i, mask, &wrong)) {
        finding_add(w, i, l, FIND_BARRIER, &wrong);
        fault_raise(w, FAULT_BARRIER);
        return -1;
    }
    uint32_t id = ((uint32_t *)slot(w, i->a))[l];
    struct barrier *x = &w->block->barriers[id];
    w->worker->counters.barriers++;
    x->expected = i->p0 ? ((uint32_t *)slot(w, i->b))[l] : 0;
    x->arrived += threads_of(w, mask, i->p0);
    observe_arrive(w, mask, x);
    return (int)id;
}

/* The leaf has come to barrier id, and waits. */
static const struct inst *wait_at(struct warp *w, const struct inst *i,
                                  uint32_t mask, int id)
{
    leaf_block(w, i, mask, NODE_BARRIER);
    w->leaf->barrier = (uint8_t)id;
    if (is_complete(w->block, &w->block->barriers[id]))
        release(w->block, id);
    return leaf_choose(w);
}

const struct inst *op_barrier(struct warp *w, const struct inst *i,
                              uint32_t mask)
{
    int id = arrive_barrier(w, i, mask);
    return id < 0 ? NULL : wait_at(w, i, mask, id);
}

const struct inst *op_barrier_reduce(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    uint32_t p = *(uint32_t *)slot(w, i->c) ^ (i->p1 ? (uint32_t)FULL : 0);
    int id = arrive_barrier(w, i, mask);
    if (id < 0)
        return NULL;
    w->block->barriers[id].reduce_count +=
        (uint32_t)__builtin_popcount(p & mask);
    return wait_at(w, i, mask, id);
}

const struct inst *op_barrier_arrive(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    int id = arrive_barrier(w, i, mask);
    if (id < 0)
        return NULL;
    if (is_complete(w->block, &w->block->barriers[id]))
        release(w->block, id);
    return i + 1;
}

static void describe(const struct block *b, const struct node *n,
                     struct finding *x)
{
    if (n->state == NODE_SYNC) {
        snprintf(x->detail, sizeof x->detail,
                 "lanes 0x%08x wait for lanes 0x%08x, which never come",
                 n->mask, n->sync & ~n->mask);
        return;
    }
    if (n->state == NODE_OBJECT) {
        mbarrier_describe(n, x);
        return;
    }
    if (n->state == NODE_CLUSTER) {
        cluster_describe(&b->warps[0], x);
        return;
    }
    if (n->state == NODE_QUOTA) {
        snprintf(x->detail, sizeof x->detail,
                 "%u registers per thread are asked for, and the block's "
                 "other warps never give back as many", (unsigned)n->pc->imm);
        return;
    }
    const struct barrier *bar = &b->barriers[n->barrier];
    snprintf(x->detail, sizeof x->detail,
             "barrier %d: %u of %u threads came; the others never do",
             n->barrier, bar->arrived,
             bar->expected ? bar->expected : b->live);
}

void sync_deadlock(struct block *b)
{
    for (uint32_t k = 0; k < b->n_warps; k++) {
        struct warp *w = &b->warps[k];
        for (struct node *n = w->leaves; n; n = n->next) {
            struct finding x = {0};
            describe(b, n, &x);
            w->leaf = n;
            w->regs = n->frame->regs;
            finding_add(w, n->pc, first_lane(n->mask), FIND_DEADLOCK, &x);
        }
    }
    fault_raise(&b->warps[0], FAULT_DEADLOCK);
}
