// SPDX-License-Identifier: MIT
/*
 * round.c: a worker's block, from its first round to its last; see round.h.
 */
#include "round.h"

#include <string.h>

#include "bulk_copy.h"
#include "cluster.h"
#include "control.h"
#include "footprint.h"
#include "group.h"
#include "mbarrier_object.h"
#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/count.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"
#include "spin.h"
#include "steps.h"
#include "still.h"
#include "sync.h"

/* What beginning a block takes, in warp instructions, as the budget has it. */
enum { BLOCK_COST = 100 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* The n-th of count in an order drawn from seed: a Feistel network over the
 * next even power of two, walked until it lands inside. */
uint64_t round_order(uint64_t n, uint64_t count, uint64_t seed)
{
    int half = 1;
    while (half < 32 && (1ull << 2 * half) < count)
        half++;
    uint64_t low = (1ull << half) - 1;
    do {
        for (int round = 0; round < 4; round++) {
            uint64_t left = n >> half, right = n & low;
            left ^= mix(right + seed + (uint64_t)round) & low;
            n = right << half | left;
        }
    } while (n >= count);
    return n;
}

static void place_block(struct worker *k, uint64_t index)
{
    struct block *b = &k->block;
    const uint32_t *grid = k->run->launch->grid;
    const uint32_t *size = k->run->launch->block;
    b->index = index;
    b->id[0] = (uint32_t)(index % grid[0]);
    b->id[1] = (uint32_t)(index / grid[0] % grid[1]);
    b->id[2] = (uint32_t)(index / grid[0] / grid[1]);
    b->n_threads = size[0] * size[1] * size[2];
    b->n_warps = (b->n_threads + LANES - 1) / LANES;
    b->live = b->n_threads;
    memset(b->barriers, 0, sizeof b->barriers);
}

/* The system's part of shared memory is there, zeroed, before the kernel. */
static void reset_reserved(struct worker *k)
{
    uint32_t bytes = SHARED_START - RESERVED_START;
    memset(k->shared + RESERVED_START, 0, bytes);
    bits_set(k->shared_init, RESERVED_START, bytes);
}

/* What a worker has done in all its blocks so far, but for waiting. */
static struct busiest_block done_by(const struct worker *k)
{
    const struct engine_counters *c = &k->counters;
    return (struct busiest_block){
        c->warp_instructions - k->spun.warps,
        c->global_load_sectors + c->global_store_sectors +
            c->global_atomic_sectors + c->async_copy_sectors +
            c->bulk_load_sectors + c->bulk_store_sectors};
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void note_busiest(struct worker *k)
{
    struct busiest_block now = done_by(k), *most = &k->busiest;
    most->warp_instructions =
        larger(most->warp_instructions,
               now.warp_instructions - k->began.warp_instructions);
    most->sectors = larger(most->sectors, now.sectors - k->began.sectors);
}

void round_start(struct worker *k, uint64_t index)
{
    struct run *r = k->run;
    struct block *b = &k->block;
    k->began = done_by(k);
    bulks_reset(k);
    transfers_reset(k);
    mbarriers_reset(b);
    for (int n = 0; n < MAX_WARPS; n++) {
        memset(b->warps[n].groups, 0, sizeof b->warps[n].groups);
        memset(b->warps[n].bulk_groups, 0, sizeof b->warps[n].bulk_groups);
        b->warps[n].landed = 0;
        b->warps[n].ahead = 0;
    }
    place_block(k, index);
    if (r->still_rounds)
        still_begin(k);
    if (k->cluster->n == 1)
        cluster_begin(k->cluster, b->id);
    if (r->shared_end > SHARED_START)
        bits_clear(k->shared_init, SHARED_START,
                   r->shared_end - SHARED_START);
    if (r->kernel->reserved_shared)
        reset_reserved(k);
    size_t local = (size_t)r->kernel->local_bytes * LANES;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        struct warp *w = &b->warps[n];
        uint32_t left = b->n_threads - n * LANES;
        w->worker = k;
        w->block = b;
        w->index = n;
        w->local = k->local + n * local;
        w->local_init = k->local_init + n * local / 8;
        warp_start(w, r->kernel->function,
                   left >= LANES ? UINT32_MAX : (1u << left) - 1);
    }
    if (r->races)
        r->races->block(k);
    if (r->traffic)
        r->traffic->block(k);
}

/* Where other threads of the block wait: at the first such line, and how many.
 * Perhaps for those that go on and on. */
static void say_waiting(const struct worker *k, struct finding *x)
{
    const struct source *at = NULL;
    size_t n = strlen(x->detail);
    int waiting = 0;
    for (uint32_t m = 0; m < k->block.n_warps; m++)
        for (const struct node *l = k->block.warps[m].leaves; l; l = l->next) {
            const struct source *s = finding_source(l->frame->function, l->pc);
            if (l->state == NODE_RUN || l->state == NODE_INNER || !s->file ||
                (at && s->line != at->line))
                continue;
            at = s;
            waiting += __builtin_popcount(l->mask);
        }
    if (!at)
        return;
    const char *name = strrchr(at->file, '/');
    snprintf(x->detail + n, sizeof x->detail - n,
             "; %d threads of its block wait at %s:%d", waiting,
             name ? name + 1 : at->file, at->line);
}

/* Of a launch whose blocks hardly do anything it is their number that costs. */
static bool say_idle(const struct run *r, struct finding *x)
{
    uint64_t begun = atomic_load(&r->next_block);
    bool idle = begun * BLOCK_COST > r->budget / 2;
    if (idle)
        snprintf(x->detail, sizeof x->detail,
                 "%llu blocks of %llu began, and each did next to nothing",
                 (unsigned long long)begun, (unsigned long long)r->n_blocks);
    return idle;
}

void round_over_budget(struct worker *k, struct warp *w)
{
    struct finding x = {0};
    if (!say_idle(k->run, &x)) {
        snprintf(x.detail, sizeof x.detail,
                 "more than %llu warp instructions: an endless loop?",
                 (unsigned long long)k->run->budget);
        say_waiting(k, &x);
    }
    struct node *leaf = w->leaves;
    while (leaf && leaf->next && leaf->state != NODE_RUN)
        leaf = leaf->next;
    k->is_over = !leaf; /* a warp that has ended says nothing */
    if (!leaf)
        return;
    w->leaf = leaf;
    finding_add(w, leaf->pc, first_lane(leaf->mask), FIND_BUDGET, &x);
    fault_raise(w, FAULT_BUDGET);
}

/* Tells the launch what was executed since the last time: seldom, as all
 * workers tell it at one place. */
static void spend(struct worker *k, struct warp *w)
{
    enum { SELDOM = 4096 };
    uint64_t now = k->counters.warp_instructions;
    if (now - k->spent < SELDOM)
        return;
    uint64_t all =
        atomic_fetch_add(&k->run->spent, now - k->spent) + now - k->spent;
    k->spent = now;
    all += BLOCK_COST * atomic_load(&k->run->next_block);
    if (k->run->budget && all > k->run->budget)
        round_over_budget(k, w);
}

static bool can_run(const struct warp *w)
{
    for (const struct node *n = w->leaves; n; n = n->next)
        if (n->state == NODE_RUN)
            return true;
    return false;
}

/* Blocks before the faulty one still run, so that the report does not depend
 * on timing; but not those that may wait for it. */
bool round_stopped(const struct worker *k)
{
    uint64_t fault = atomic_load_explicit(&k->run->fault_order,
                                          memory_order_relaxed);
    bool any = k->run->launch->cooperative ||
               atomic_load_explicit(&k->run->in_turns, memory_order_relaxed);
    return any ? fault != UINT64_MAX : fault <= k->order;
}

/* Nobody can run: lanes that left early wait for the others, to exit with
 * them; else lanes that a .sync waits for may wait to reconverge. */
bool round_unblock(struct block *b)
{
    bool any = false;
    for (uint32_t n = 0; n < b->n_warps; n++)
        any |= warp_release_exits(&b->warps[n]);
    if (any)
        return true;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        bool syncs = false;
        for (struct node *x = b->warps[n].leaves; x; x = x->next)
            syncs |= x->state == NODE_SYNC;
        any |= syncs && warp_release_early(&b->warps[n]);
    }
    return any || mbarriers_unblock(b);
}

static void use_quota(struct run *r, uint64_t instructions)
{
    r->quota -= instructions < r->quota ? instructions : r->quota;
}

/* Runs a warp until it waits or its slice is over, from where it paused if it
 * has. false: it has paused again. */
static bool run_slice(struct worker *k, struct warp *w, run_warp *run)
{
    struct round *o = &k->round;
    uint64_t before = k->counters.warp_instructions;
    bool over = !o->paused && k->is_over;
    if (over)
        round_over_budget(k, w);
    if (over || (!o->paused && warp_judge_footprint(k, w))) {
        o->moved = true;
        return true;
    }
    if (!o->paused) {
        w->polled = false;
        spin_resume(w);
    }
    if (w->follower)
        run = k->run->engine->lanes->run_followed;
    run(w, o->paused ? w->leaf->pc : leaf_choose(w));
    if (k->run->still_rounds)
        o->changed |= !still_slice(k, w);
    o->paused = k->run->steps && steps_paused(k->run->steps);
    if (o->paused)
        return false;
    spin_pause(w);
    o->busy |= !w->polled;
    o->elsewhere |= !w->spin.sure && !(w->polled && w->spin.tries);
    if (k->run->quota != NO_QUOTA)
        use_quota(k->run, k->counters.warp_instructions - before);
    spend(k, w);
    o->moved = true;
    return true;
}

bool round_paused(const struct run *r)
{
    return atomic_load_explicit(&r->pause, memory_order_relaxed);
}

/* A slice of each warp. */
enum progress round_run(struct worker *k, run_warp *run)
{
    struct round *o = &k->round;
    struct block *b = &k->block;
    uint64_t seed = k->run->engine->config.seed;
    if (o->next == 0 && !o->paused && round_paused(k->run))
        return PAUSED;
    for (; o->next < b->n_warps && !round_stopped(k); o->next++) {
        if (k->run->quota == 0)
            return PAUSED;
        uint64_t at = seed ? round_order(o->next, b->n_warps, seed + b->index)
                           : o->next;
        struct warp *w = &b->warps[at];
        if ((o->paused || (!w->done && can_run(w))) && !run_slice(k, w, run))
            return PAUSED;
        o->left |= !w->done;
    }
    bool left = o->left;
    if (k->run->still_rounds && (o->moved || k->cluster->n > 1))
        still_round(k, o->changed); /* or waits for others of its cluster */
    k->moved = o->moved;
    k->calm = o->moved && !o->elsewhere ? k->calm + 1 : 0;
    atomic_store_explicit(&k->waits, o->moved && !o->busy ? k->waits + 1 : 0,
                          memory_order_relaxed);
    *o = (struct round){0};
    return left && !round_stopped(k) ? UNDER_WAY : ENDED;
}

/* The same of a block that depends on no other one. */
enum progress round_alone(struct worker *k, run_warp *run)
{
    enum progress p = round_run(k, run);
    if (p == UNDER_WAY && !k->moved && !round_unblock(&k->block)) {
        sync_deadlock(&k->block);
        return ENDED;
    }
    return p;
}

void round_begin(struct worker *k)
{
    uint64_t seed = k->run->engine->config.seed;
    const struct run *r = k->run;
    round_start(k, r->choose ? r->choose(r, k->order)
                   : seed    ? round_order(k->order, r->n_blocks, seed)
                             : k->order);
}

void round_end(struct worker *k)
{
    if (k->run->still_rounds)
        still_leave(k);
    for (uint32_t n = 0; n < k->block.n_warps; n++)
        count_asked(&k->counters, &k->block.warps[n]);
    if (!round_stopped(k)) {
        group_judge(k);
        bulks_finish(k);
        observe_ended(k);
    }
    note_busiest(k);
    if (k->run->traffic)
        k->run->traffic->block_end(k);
}
