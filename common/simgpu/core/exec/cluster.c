// SPDX-License-Identifier: MIT
/*
 * cluster.c: the cluster's barrier, and addresses in its blocks' shared memory.
 * Interface: cluster.h.
 *
 * A thread arrives, then waits, in turns. Its lane is in warp->arrived until
 * the phase ends, when all living threads of the cluster have come, then in
 * warp->passed until it waits. Lanes that do one twice, or wait without having
 * come, are what the PTX ISA leaves undefined ("barrier.cluster").
 */
#include "cluster.h"

#include <stdlib.h>

#include "control.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"

enum { RANK_BEYOND = 126 }; /* no cluster has it; fits above SHARED_RANK */

struct cluster *cluster_open(void)
{
    struct cluster *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    return c;
}

void cluster_close(struct cluster *c)
{
    free(c->order.records);
    free(c);
}

void cluster_begin(struct cluster *c, const uint32_t id[3])
{
    for (int axis = 0; axis < 3; axis++)
        c->id[axis] = id[axis];
    c->arrived = 0;
    free(c->order.records);
    c->order = (struct object_order){0};
}

/* The barrier -------------------------------------------------------------- */

static uint32_t living(const struct cluster *c)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < c->n; r++)
        n += c->member[r]->block.live;
    return n;
}

/* Leaves that wait go on. */
static void wake(struct warp *w)
{
    leaf_merge_waiting(w, NODE_CLUSTER);
    for (struct node *n = w->leaves; n; n = n->next) {
        if (n->state != NODE_CLUSTER)
            continue;
        n->state = NODE_RUN;
        n->pc++;
        w->passed &= ~n->mask;
    }
}

static void end_phase(struct cluster *c)
{
    c->arrived = 0;
    observe_complete(&c->member[0]->block.warps[0], &c->order);
    for (uint32_t r = 0; r < c->n; r++)
        for (uint32_t k = 0; k < c->member[r]->block.n_warps; k++) {
            struct warp *w = &c->member[r]->block.warps[k];
            uint32_t waits = 0;
            for (struct node *n = w->leaves; n; n = n->next)
                waits |= n->state == NODE_CLUSTER ? n->mask : 0;
            w->passed |= w->arrived;
            w->arrived = 0;
            if (waits) {
                observe_wait(w, waits, &c->order, ORDER_ACQ_REL);
                wake(w);
            }
        }
}

static void recheck(struct cluster *c)
{
    if (c->arrived && c->arrived >= living(c))
        end_phase(c);
}

void cluster_exit(struct warp *w, uint32_t mask)
{
    struct cluster *c = w->worker->cluster;
    c->arrived -= (uint32_t)__builtin_popcount(mask & w->arrived);
    w->arrived &= ~mask;
    recheck(c);
}

static const struct inst *misuse(struct warp *w, const struct inst *i,
                                 uint32_t lanes, const char *text)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail, "%s", text);
    finding_add(w, i, first_lane(lanes), FIND_BARRIER, &x);
    return fault_raise(w, FAULT_BARRIER);
}

/* p0: .relaxed */
const struct inst *op_cluster_arrive(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    struct cluster *c = w->worker->cluster;
    uint32_t twice = mask & (w->arrived | w->passed);
    if (twice)
        return misuse(w, i, twice, "arrives at the cluster's barrier again "
                                   "without having waited");
    w->arrived |= mask;
    c->arrived += (uint32_t)__builtin_popcount(mask);
    observe_arrives_at(w, mask, &c->order,
                       i->p0 ? ORDER_RELAXED : ORDER_ACQ_REL);
    recheck(c);
    return i + 1;
}

const struct inst *op_cluster_wait(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    struct cluster *c = w->worker->cluster;
    uint32_t never = mask & ~(w->arrived | w->passed);
    w->worker->counters.barriers++;
    if (never)
        return misuse(w, i, never, "waits at the cluster's barrier without "
                                   "having arrived");
    if (!(mask & w->arrived)) {
        w->passed &= ~mask;
        observe_wait(w, mask, &c->order, ORDER_ACQ_REL);
        return i + 1;
    }
    leaf_block(w, i, mask, NODE_CLUSTER);
    return leaf_choose(w);
}

void cluster_describe(const struct warp *w, struct finding *x)
{
    const struct cluster *c = w->worker->cluster;
    snprintf(x->detail, sizeof x->detail,
             "the barrier of the cluster: %u of %u threads of its %u blocks "
             "came; the others never do", c->arrived, living(c), c->n);
}

/* Addresses ---------------------------------------------------------------- */

/* d, a of p0 bytes; b: the rank, which is checked where the address is used.
 * p1: generic. imm: added to a. */
const struct inst *op_map_shared(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    uint64_t window = i->p1 ? SHARED_WINDOW : 0;
    uint64_t own = (1u << SHARED_RANK) - 1;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t a = slot_get(w, i->a, l, i->p0) + (uint64_t)i->imm - window;
        uint64_t rank = slot_get(w, i->b, l, 4);
        rank = rank < RANK_BEYOND ? rank : RANK_BEYOND;
        slot_put(w, i->d, l, i->p0,
                 window + (a & own) + ((rank + 1) << SHARED_RANK));
    }
    return i + 1;
}

const struct inst *op_shared_rank(struct warp *w, const struct inst *i,
                                  uint32_t mask)
{
    uint64_t window = i->p1 ? SHARED_WINDOW : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t a = slot_get(w, i->a, l, i->p0) - window;
        uint32_t rank = (uint32_t)(a >> SHARED_RANK);
        slot_put(w, i->d, l, 4, rank ? rank - 1 : w->worker->rank);
    }
    return i + 1;
}
