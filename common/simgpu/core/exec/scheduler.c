// SPDX-License-Identifier: MIT
/*
 * scheduler.c: which block executes next.
 *
 *   scheduler_work   a thread's whole part in a launch
 *
 * A worker takes the next block, and runs it round by round (round.h) until all
 * of its warps have exited. In a cooperative launch, and in a cluster, each
 * block has a worker, and a thread goes round among several. In any other
 * launch, too, a block may wait for one that comes later: if it does nothing
 * but poll memory for long, it gets company, block by block, up to as many as
 * the GPU holds at once. If all of these only wait, those that they wait for
 * never start: a deadlock on the GPU as well.
 */
#include "cluster.h"
#include "control.h"
#include "round.h"
#include "scheduler.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"
#include "still.h"
#include "sync.h"
#include "worker.h"

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
    if (!round_stopped(k) && atomic_load(&r->next_block) < r->n_blocks)
        k->order = atomic_fetch_add(&r->next_block, 1);
    else
        k->order = r->n_blocks;
    if (k->order >= r->n_blocks) {
        still_end(k);
        return false;
    }
    round_begin(k);
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
    if (atomic_load(&r->stuck) == r->threads && !round_stopped(first) &&
        atomic_load(&r->next_block) < r->n_blocks)
        say_nobody_starts(first);
}

static bool run_in_turn(struct worker *k, run_warp *run)
{
    if (round_alone(k, run) == ENDED) {
        round_end(k);
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
            if (round_paused(first->run))
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
            if (k->order >= r->n_blocks || round_stopped(k))
                return ENDED;
            round_begin(k);
            k->has_block = true;
        }
        enum progress p;
        while ((p = round_alone(k, run)) == UNDER_WAY)
            if (k->waits >= PATIENT && r->room > r->threads)
                return work_in_turns(k, run);
        if (p == PAUSED)
            return PAUSED;
        round_end(k);
        k->has_block = false;
    }
}

/* A sampled launch --------------------------------------------------------- */

/* A round of a block. false: it has ended. */
static bool goes_on(struct worker *k, run_warp *run)
{
    if (round_alone(k, run) == UNDER_WAY)
        return true;
    round_end(k);
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
    round_begin(k);
    k->has_block = true;
    while (k->has_block && !is_waiting(k))
        k->has_block = goes_on(k, run);
    return !k->has_block && (round_stopped(k) || k->run->enough(k));
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
    round_start(k, n);
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
    round_over_budget(k, w);
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
        round_begin(k);
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
                sampled_begins(k, &next,
                               round_stopped(k) || r->enough(k) ? 0 : n);
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
        round_begin(k);
        k->has_block = true;
    }
    for (;;) {
        if (!first->turn) {
            first->turn = first;
            first->any_left = false;
        }
        for (; first->turn; first->turn = first->turn->mate) {
            enum progress p = round_alone(first->turn, run);
            if (p == PAUSED)
                return PAUSED;
            first->any_left |= p == UNDER_WAY;
            if (p == ENDED && !first->turn->over)
                round_end(first->turn);
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
                  : seed    ? round_order(first->order, run_clusters(r), seed)
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
        round_start(k, block);
    }
}

/* Nobody in the cluster can run. false: nobody ever will. */
static bool unblock_cluster(struct worker *first)
{
    bool any = false;
    for (struct worker *k = first; k; k = k->mate)
        any |= k->has_block && round_unblock(&k->block);
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
        enum progress p = k->has_block ? round_run(k, run) : ENDED;
        if (p == PAUSED)
            return PAUSED;
        first->any_left |= p == UNDER_WAY;
        first->any_moved |= k->has_block && k->moved;
        if (p == ENDED && k->has_block) {
            round_end(k);
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
            if (first->order >= most || round_stopped(first) ||
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
