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
 * but poll memory for long, it gets company, block by block, or cluster by
 * cluster, up to as many as the GPU holds at once. If all of these only wait,
 * those that they wait for never start: a deadlock on the GPU as well.
 */
#include "cluster.h"
#include "control.h"
#include "round.h"
#include "sampled.h"
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

static struct worker *who_waits(struct worker *first)
{
    for (struct worker *c = first; c; c = c->beside)
        for (struct worker *k = c; k; k = k->mate)
            if (k->has_block && k->waits >= PATIENT)
                return k;
    return first;
}

/* Lanes that poll, before any that wait at a barrier. */
static struct node *leaf_that_polls(struct worker *k, struct warp **of)
{
    struct node *any = NULL;
    for (uint32_t n = 0; n < k->block.n_warps; n++)
        for (struct node *l = k->block.warps[n].leaves; l; l = l->next)
            if (!any || (any->state != NODE_RUN && l->state == NODE_RUN)) {
                any = l;
                *of = &k->block.warps[n];
            }
    return any;
}

static void say_nobody_starts(struct worker *k)
{
    struct run *r = k->run;
    struct warp *w;
    struct node *leaf = leaf_that_polls(k, &w);
    struct finding x = {0};
    if (!leaf)
        return;
    snprintf(x.detail, sizeof x.detail,
             "%u %s run at once on this GPU and all wait; the grid has "
             "%llu, and the others start when one of these ends",
             r->room / r->cluster_blocks,
             r->cluster_blocks > 1 ? "clusters" : "blocks",
             (unsigned long long)run_clusters(r));
    w->leaf = leaf;
    finding_add(w, leaf->pc, first_lane(leaf->mask), FIND_DEADLOCK, &x);
    fault_raise(w, FAULT_DEADLOCK);
}

/* All of this thread's blocks wait, and there is no room for one more. */
static void is_stuck(struct worker *first)
{
    struct run *r = first->run;
    threads_yield();
    if (++first->stuck < GIVES_UP)
        return;
    if (first->stuck == GIVES_UP)
        atomic_fetch_add(&r->stuck, 1);
    if (atomic_load(&r->stuck) == r->threads && !round_stopped(first) &&
        atomic_load(&r->next_block) < run_clusters(r))
        say_nobody_starts(who_waits(first));
}

/* Some of them went on. */
static void is_free(struct worker *first)
{
    if (first->stuck >= GIVES_UP)
        atomic_fetch_sub(&first->run->stuck, 1);
    first->stuck = 0;
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
        if (first->any_moved || adds_mates(first))
            is_free(first);
        else
            is_stuck(first);
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

/* Cooperative launches ---------------------------------------------------- */

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

/* at: its number in the grid. */
static void begin_cluster(struct worker *first, uint64_t at)
{
    const struct run *r = first->run;
    uint64_t grid[3];
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
        k->waits = 0;
        k->calm = 0;
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

/* Orders of a sampled launch's, behind them those of strangers. */
static uint64_t next_order(struct worker *first)
{
    struct run *r = first->run;
    if (!first->guest)
        return atomic_fetch_add(&r->next_block, 1);
    while (r->is_sampled(r, r->next_stranger))
        r->next_stranger++;
    return r->n_sampled + r->next_stranger++;
}

static bool takes_cluster(struct worker *first)
{
    struct run *r = first->run;
    bool mine = r->n_sampled && !first->guest;
    uint64_t most = mine ? r->n_sampled : run_clusters(r);
    uint64_t seed = r->engine->config.seed, at;
    if (first->under_way)
        return true;
    first->order = next_order(first);
    at = first->guest ? first->order - r->n_sampled : first->order;
    if (at >= most || round_stopped(first) ||
        (mine && first->order && r->enough(first))) {
        for (struct worker *k = first; k; k = k->mate)
            still_end(k);
        return false;
    }
    begin_cluster(first, first->guest ? at
                         : r->choose  ? r->choose(r, at)
                         : seed       ? round_order(at, most, seed)
                                      : at);
    first->under_way = true;
    return true;
}

/* Some of its blocks only poll, and the others wait for them. */
static bool cluster_waits(const struct worker *first)
{
    bool any = false, all = true;
    for (const struct worker *k = first; k; k = k->mate) {
        bool waits = k->run->n_sampled ? sampled_waits(k) : k->waits >= PATIENT;
        any |= k->has_block && waits;
        all &= !k->has_block || waits || !k->moved;
    }
    return any && all;
}

/* Of a sampled launch: the next cluster to join is another multiprocessor's,
 * since there are no more of those that count, or no room. */
static bool is_stranger(const struct run *r)
{
    return r->n_sampled &&
           (atomic_load(&r->next_block) >= r->n_sampled ||
            atomic_load(&r->opened) + r->cluster_blocks > r->n_counted);
}

/* As many more as this thread has by now, all of which wait. */
static bool adds_clusters(struct worker *first)
{
    struct run *r = first->run;
    uint32_t n = 0;
    bool any = false;
    for (struct worker *c = first; c; c = c->beside)
        n++;
    for (; n > 0; n--) {
        bool guest = is_stranger(r);
        uint64_t next = guest ? r->next_stranger : atomic_load(&r->next_block);
        struct worker *c = next < run_clusters(r) ? worker_add(r) : NULL;
        if (!c)
            break;
        atomic_store(&r->in_turns, true);
        for (struct worker *k = c; k; k = k->mate)
            k->guest = guest;
        c->beside = first->beside;
        first->beside = c;
        any |= takes_cluster(c);
    }
    return any;
}

/* One after the other; if all of this thread's wait, more of them in turns. */
static enum progress work_clusters(struct worker *first, run_warp *run)
{
    for (;;) {
        if (!first->in_turn) {
            first->in_turn = first;
            first->clusters_left = first->clusters_moved = false;
        }
        for (; first->in_turn; first->in_turn = first->in_turn->beside) {
            struct worker *c = first->in_turn;
            if (!takes_cluster(c))
                continue;
            enum progress p = run_cluster(c, run);
            if (p == PAUSED)
                return PAUSED;
            c->under_way = p == UNDER_WAY;
            first->clusters_left |= !c->guest;
            first->clusters_moved |= !c->under_way || !cluster_waits(c);
        }
        if (!first->clusters_left)
            return ENDED;
        if (first->clusters_moved || adds_clusters(first))
            is_free(first);
        else if (first->run->n_sampled)
            sampled_give_up(first);
        else
            is_stuck(first);
    }
}

bool scheduler_work(struct worker *k)
{
    const struct run *r = k->run;
    const struct lane_table *table = r->engine->lanes;
    bool ended = (r->launch->cooperative    ? work_together
                  : r->cluster_blocks > 1   ? work_clusters
                  : r->n_sampled            ? sampled_work
                                            : work_alone)(
                     k, r->traffic ? table->run_followed : table->run) == ENDED;
    for (struct worker *mate = k; ended && mate; mate = mate->mate)
        still_end(mate);
    return ended;
}
