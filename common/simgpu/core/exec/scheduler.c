// SPDX-License-Identifier: MIT
/*
 * scheduler.c: which block and which warp executes next.
 *
 *   scheduler_work   a thread's whole part in a launch
 *
 * A worker takes the next block, runs its warps in turn, each until it waits
 * or its slice is over, and goes on until all have exited. In a cooperative
 * launch, and in a cluster, each block has a worker, and a thread goes round
 * among several. In any other launch, too, a block may wait for one that comes
 * later: if it does nothing but poll memory for long, it gets company, block by
 * block, up to as many as the GPU holds at once. If all of these only wait,
 * those that they wait for never start: a deadlock on the GPU as well.
 */
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
#include "simgpu/core/lanes/ops.h"
#include "scheduler.h"
#include "steps.h"
#include "spin.h"
#include "still.h"
#include "simgpu/core/state/observe.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"
#include "sync.h"
#include "worker.h"

enum progress { ENDED, UNDER_WAY, PAUSED };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* The n-th of count in an order drawn from seed: a Feistel network over the
 * next even power of two, walked until it lands inside. */
static uint64_t shuffled(uint64_t n, uint64_t count, uint64_t seed)
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

static void start_block(struct worker *k, uint64_t index)
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

static void over_budget(struct worker *k, struct warp *w)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail,
             "more than %llu warp instructions: an endless loop?",
             (unsigned long long)k->run->budget);
    say_waiting(k, &x);
    struct node *leaf = w->leaves;
    while (leaf && leaf->next && leaf->state != NODE_RUN)
        leaf = leaf->next;
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
    if (k->run->budget && all > k->run->budget)
        over_budget(k, w);
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
static bool stopped(const struct worker *k)
{
    uint64_t fault = atomic_load_explicit(&k->run->fault_order,
                                          memory_order_relaxed);
    bool any = k->run->launch->cooperative ||
               atomic_load_explicit(&k->run->in_turns, memory_order_relaxed);
    return any ? fault != UINT64_MAX : fault <= k->order;
}

/* Nobody can run: lanes that left early wait for the others, to exit with
 * them; else lanes that a .sync waits for may wait to reconverge. */
static bool unblock(struct block *b)
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
    if (!o->paused && warp_judge_footprint(k, w)) {
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

static bool is_paused(const struct run *r)
{
    return atomic_load_explicit(&r->pause, memory_order_relaxed);
}

/* A slice of each warp. */
static enum progress run_round(struct worker *k, run_warp *run)
{
    struct round *o = &k->round;
    struct block *b = &k->block;
    uint64_t seed = k->run->engine->config.seed;
    if (o->next == 0 && !o->paused && is_paused(k->run))
        return PAUSED;
    for (; o->next < b->n_warps && !stopped(k); o->next++) {
        if (k->run->quota == 0)
            return PAUSED;
        uint64_t at = seed ? shuffled(o->next, b->n_warps, seed + b->index)
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
    return left && !stopped(k) ? UNDER_WAY : ENDED;
}

/* The same of a block that depends on no other one. */
static enum progress run_alone(struct worker *k, run_warp *run)
{
    enum progress p = run_round(k, run);
    if (p == UNDER_WAY && !k->moved && !unblock(&k->block)) {
        sync_deadlock(&k->block);
        return ENDED;
    }
    return p;
}

static void begin(struct worker *k)
{
    uint64_t seed = k->run->engine->config.seed;
    const struct run *r = k->run;
    start_block(k, r->choose ? r->choose(r, k->order)
                   : seed    ? shuffled(k->order, r->n_blocks, seed)
                             : k->order);
}

static void end_block(struct worker *k)
{
    for (uint32_t n = 0; n < k->block.n_warps; n++)
        count_asked(&k->counters, &k->block.warps[n]);
    if (!stopped(k)) {
        group_judge(k);
        bulks_finish(k);
        observe_ended(k);
    }
    note_busiest(k);
    if (k->run->traffic)
        k->run->traffic->block_end(k);
}

/* Waiting blocks ---------------------------------------------------------- */

enum {
    PATIENT = 4,     /* rounds of polling before another block joins */
    GIVES_UP = 64,   /* before nobody is expected to help any more */
};

static bool takes_block(struct worker *k)
{
    struct run *r = k->run;
    if (k->has_block)
        return true;
    if (!stopped(k) && atomic_load(&r->next_block) < r->n_blocks)
        k->order = atomic_fetch_add(&r->next_block, 1);
    else
        k->order = r->n_blocks;
    if (k->order >= r->n_blocks) {
        still_end(k);
        return false;
    }
    begin(k);
    k->waits = 0;
    k->has_block = true;
    return true;
}

/* One more block for a thread all of whose blocks wait. */
static bool adds_mate(struct worker *first)
{
    struct run *r = first->run;
    if (atomic_load(&r->next_block) >= r->n_blocks)
        return false;
    struct worker *k = worker_add(r);
    if (!k)
        return false;
    atomic_store(&r->in_turns, true);
    k->mate = first->mate;
    first->mate = k;
    return takes_block(k);
}

static void say_nobody_starts(struct worker *k)
{
    struct run *r = k->run;
    struct warp *w = &k->block.warps[0];
    for (uint32_t n = 0; n < k->block.n_warps && !w->leaves; n++)
        w = &k->block.warps[n];
    struct node *leaf = w->leaves;
    struct finding x = {0};
    if (!leaf)
        return;
    snprintf(x.detail, sizeof x.detail,
             "%u blocks run at once on this GPU and all wait; the grid has "
             "%llu, and the others start when one of these ends",
             r->room, (unsigned long long)r->n_blocks);
    w->leaf = leaf;
    finding_add(w, leaf->pc, first_lane(leaf->mask), FIND_DEADLOCK, &x);
    fault_raise(w, FAULT_DEADLOCK);
}

/* All of this thread's blocks wait, and there is no room for one more. */
static void is_stuck(struct worker *first)
{
    struct run *r = first->run;
    if (++first->stuck < GIVES_UP)
        return;
    if (first->stuck == GIVES_UP)
        atomic_fetch_add(&r->stuck, 1);
    if (atomic_load(&r->stuck) == r->threads && !stopped(first) &&
        atomic_load(&r->next_block) < r->n_blocks)
        say_nobody_starts(first);
}

static bool run_in_turn(struct worker *k, run_warp *run)
{
    if (run_alone(k, run) == ENDED) {
        end_block(k);
        k->has_block = false;
        k->waits = 0;
    }
    return k->has_block && k->waits >= PATIENT;
}

/* As many more as there are. */
static bool adds_mates(struct worker *first)
{
    uint32_t n = 0;
    for (struct worker *k = first; k; k = k->mate)
        n++;
    bool any = adds_mate(first);
    while (any && --n > 0 && adds_mate(first))
        ;
    return any;
}

/* A round over this thread's blocks, again and again. */
static enum progress work_in_turns(struct worker *first, run_warp *run)
{
    for (;;) {
        if (!first->turn) {
            first->turn = first;
            first->any_left = first->any_moved = false;
        }
        for (; first->turn; first->turn = first->turn->mate) {
            if (is_paused(first->run))
                return PAUSED;
            if (!takes_block(first->turn))
                continue;
            first->any_left = true;
            first->any_moved |= !run_in_turn(first->turn, run);
        }
        if (!first->any_left)
            return ENDED;
        if (first->any_moved || adds_mates(first)) {
            if (first->stuck >= GIVES_UP)
                atomic_fetch_sub(&first->run->stuck, 1);
            first->stuck = 0;
        } else {
            is_stuck(first);
            threads_yield();
        }
    }
}

/* Blocks one after the other. */
static enum progress work_alone(struct worker *k, run_warp *run)
{
    struct run *r = k->run;
    if (k->mate) /* it has paused there */
        return work_in_turns(k, run);
    for (;;) {
        if (!k->has_block) {
            k->order = atomic_fetch_add(&r->next_block, 1);
            if (k->order >= r->n_blocks || stopped(k))
                return ENDED;
            begin(k);
            k->has_block = true;
        }
        enum progress p;
        while ((p = run_alone(k, run)) == UNDER_WAY)
            if (k->waits >= PATIENT && r->room > r->threads)
                return work_in_turns(k, run);
        if (p == PAUSED)
            return PAUSED;
        end_block(k);
        k->has_block = false;
    }
}

/* A sampled launch --------------------------------------------------------- */

/* A round of a block. false: it has ended. */
static bool goes_on(struct worker *k, run_warp *run)
{
    if (run_alone(k, run) == UNDER_WAY)
        return true;
    end_block(k);
    return false;
}

static bool is_waiting(const struct worker *k)
{
    enum { LONG = 64 }; /* rounds */
    return k->calm >= LONG;
}

/* The first block of a sampled launch, alone. true: no other one is needed. */
static bool first_is_enough(struct worker *k, run_warp *run)
{
    k->order = 0;
    begin(k);
    k->has_block = true;
    while (k->has_block && !is_waiting(k))
        k->has_block = goes_on(k, run);
    return !k->has_block && (stopped(k) || k->run->enough(k));
}

/* The next block of other multiprocessors. false: there is none. */
static bool stranger_begins(struct worker *k)
{
    struct run *r = k->run;
    uint64_t n = atomic_load(&r->next_block);
    while (n < r->n_blocks && r->is_sampled(r, n))
        n++;
    atomic_store(&r->next_block, n + 1);
    k->has_block = n < r->n_blocks;
    if (!k->has_block)
        return false;
    k->calm = 0;
    k->order = r->n_sampled + n;
    start_block(k, n);
    return true;
}

/* All sampled blocks wait, and so do the strangers: as many more of these as
 * there are blocks by now, if the GPU has room. false: there are no more. */
static bool add_strangers(struct worker **all, const struct worker *first)
{
    struct run *r = first->run;
    uint32_t n = 0;
    bool any = false;
    for (const struct worker *k = first; k; k = k->mate)
        n++;
    for (const struct worker *k = *all; k; k = k->mate)
        n++;
    for (; n > 0 && atomic_load(&r->next_block) < r->n_blocks; n--) {
        struct worker *k = worker_add(r);
        if (!k)
            return false;
        atomic_store(&r->in_turns, true);
        any = true;
        k->guest = true;
        k->mate = *all;
        *all = k;
        stranger_begins(k);
    }
    return any;
}

/* Nobody is left who could end the waiting. */
static void give_up(struct worker *first)
{
    enum { ROUNDS = 8192 };
    struct worker *k = first;
    if (++first->stuck != ROUNDS)
        return;
    while (!k->has_block)
        k = k->mate;
    struct warp *w = &k->block.warps[0];
    while (w->done)
        w++;
    over_budget(k, w);
}

/* A round of the strangers. Whether one of them did more than wait. */
static bool strangers_move(struct worker *all, run_warp *run)
{
    bool any = false;
    for (struct worker *k = all; k; k = k->mate) {
        if (!k->has_block)
            continue;
        k->has_block = goes_on(k, run);
        any |= k->has_block ? !is_waiting(k) : stranger_begins(k);
    }
    return any;
}

static void sampled_begins(struct worker *k, uint64_t *next, uint64_t n)
{
    k->has_block = *next < n;
    k->calm = 0;
    k->order = k->has_block ? (*next)++ : UINT64_MAX;
    if (k->has_block)
        begin(k);
}

/* Some blocks of one multiprocessor, as many at a time as it holds; or all
 * blocks, as many at a time as the GPU holds. If they wait for blocks of other
 * multiprocessors, these join. It is never stepped. */
static enum progress work_sampled(struct worker *first, run_warp *run)
{
    const struct run *r = first->run;
    uint64_t next = r->launch->fair ? 0 : 1, n = r->n_sampled;
    struct worker *strangers = NULL;
    bool left, moves;
    if (!r->launch->fair && first_is_enough(first, run))
        return ENDED;
    for (struct worker *k = first; k; k = k->mate)
        if (!k->has_block)
            sampled_begins(k, &next, n);
    do {
        left = moves = false;
        for (struct worker *k = first; k; k = k->mate) {
            if (!k->has_block)
                continue;
            if (!goes_on(k, run))
                sampled_begins(k, &next, stopped(k) || r->enough(k) ? 0 : n);
            left |= k->has_block;
            moves |= k->has_block && !is_waiting(k);
        }
        moves |= strangers_move(strangers, run);
        if (!left || moves)
            first->stuck = 0;
        else if (!add_strangers(&strangers, first))
            give_up(first);
    } while (left);
    return ENDED;
}

/* A cooperative launch: a round over all blocks, as they may wait for each
 * other. */
static enum progress work_together(struct worker *first, run_warp *run)
{
    for (struct worker *k = first; k && !k->has_block; k = k->mate) {
        begin(k);
        k->has_block = true;
    }
    for (;;) {
        if (!first->turn) {
            first->turn = first;
            first->any_left = false;
        }
        for (; first->turn; first->turn = first->turn->mate) {
            enum progress p = run_alone(first->turn, run);
            if (p == PAUSED)
                return PAUSED;
            first->any_left |= p == UNDER_WAY;
            if (p == ENDED && !first->turn->over)
                end_block(first->turn);
            first->turn->over |= p == ENDED;
            if (first->turn->over)
                still_end(first->turn);
        }
        if (!first->any_left)
            return ENDED;
    }
}

/* Clusters ---------------------------------------------------------------- */

static void begin_cluster(struct worker *first)
{
    const struct run *r = first->run;
    uint64_t seed = r->engine->config.seed, grid[3];
    uint64_t at = r->choose ? r->choose(r, first->order)
                  : seed    ? shuffled(first->order, run_clusters(r), seed)
                            : first->order;
    uint32_t id[3];
    for (int axis = 0; axis < 3; axis++)
        grid[axis] = r->launch->grid[axis] / r->cluster[axis];
    id[0] = (uint32_t)(at % grid[0]);
    id[1] = (uint32_t)(at / grid[0] % grid[1]);
    id[2] = (uint32_t)(at / grid[0] / grid[1]);
    cluster_begin(first->cluster, id);
    for (struct worker *k = first; k; k = k->mate) {
        uint64_t block = 0;
        uint32_t rank = k->rank, within[3];
        k->order = first->order;
        k->has_block = true;
        for (int axis = 0; axis < 3; rank /= r->cluster[axis++])
            within[axis] = rank % r->cluster[axis];
        for (int axis = 2; axis >= 0; axis--)
            block = block * r->launch->grid[axis] +
                    (uint64_t)id[axis] * r->cluster[axis] + within[axis];
        start_block(k, block);
    }
}

/* Nobody in the cluster can run. false: nobody ever will. */
static bool unblock_cluster(struct worker *first)
{
    bool any = false;
    for (struct worker *k = first; k; k = k->mate)
        any |= k->has_block && unblock(&k->block);
    for (struct worker *k = first; !any && k; k = k->mate)
        sync_deadlock(&k->block);
    return any;
}

/* A round of all its blocks. */
static enum progress run_cluster(struct worker *first, run_warp *run)
{
    if (!first->turn) {
        first->turn = first;
        first->any_left = first->any_moved = false;
    }
    for (; first->turn; first->turn = first->turn->mate) {
        struct worker *k = first->turn;
        enum progress p = k->has_block ? run_round(k, run) : ENDED;
        if (p == PAUSED)
            return PAUSED;
        first->any_left |= p == UNDER_WAY;
        first->any_moved |= k->has_block && k->moved;
        if (p == ENDED && k->has_block) {
            end_block(k);
            k->has_block = false;
            still_end(k);
        }
    }
    if (first->any_left && !first->any_moved && !unblock_cluster(first))
        return ENDED;
    return first->any_left ? UNDER_WAY : ENDED;
}

static enum progress work_clusters(struct worker *first, run_warp *run)
{
    struct run *r = first->run;
    uint64_t most = r->n_sampled ? r->n_sampled : run_clusters(r);
    for (;;) {
        if (!first->under_way) {
            first->order = atomic_fetch_add(&r->next_block, 1);
            if (first->order >= most || stopped(first) ||
                (r->n_sampled && first->order && r->enough(first)))
                return ENDED;
            begin_cluster(first);
            first->under_way = true;
        }
        enum progress p;
        while ((p = run_cluster(first, run)) == UNDER_WAY)
            ;
        if (p == PAUSED)
            return PAUSED;
        first->under_way = false;
    }
}

bool scheduler_work(struct worker *k)
{
    const struct run *r = k->run;
    const struct lane_table *table = r->engine->lanes;
    bool ended = (r->launch->cooperative    ? work_together
                  : r->cluster_blocks > 1   ? work_clusters
                  : r->n_sampled            ? work_sampled
                                            : work_alone)(
                     k, r->traffic ? table->run_followed : table->run) == ENDED;
    for (struct worker *mate = k; ended && mate; mate = mate->mate)
        still_end(mate);
    return ended;
}
