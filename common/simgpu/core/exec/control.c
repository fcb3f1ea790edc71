// SPDX-License-Identifier: MIT
/*
 * control.c: branches, and how long lanes may run before others do. Interface:
 * control.h; the tree of lanes: tree.c.
 *
 * Lanes may spin on a lock that a waiting sibling holds: after many backward
 * branches, fewer in a loop that polls memory, another leaf has its turn; and
 * after some more the waiting lanes are released before the others come.
 */
#include "control.h"
#include "footprint.h"
#include "simgpu/core/access/count.h"
#include "simgpu/core/state/finding.h"
#include "spin.h"
#include "suspect.h"

enum {
    SLICE = 4096,       /* backward branches before another leaf's turn */
    POLLS = 256,        /* the same in a loop that polls memory, */
    SPINS = 2,          /* and in one that surely waits for others */
    WEIGHED = 16,       /* between looks at the memory that all of it takes */
    PATIENCE = 16,      /* slices of one leaf alone, then early release */
};

void warp_start(struct warp *w, const struct function *f, uint32_t lanes)
{
    if (!w->root)
        w->root = frame_new(w->worker, f);
    frame_begin(w, w->root, 0);
    struct node root = {.frame = w->root};
    w->dead = ~lanes;
    w->leaves = NULL;
    w->leaf = NULL;
    leaf_add(w, &root, lanes, f->insts);
    w->done = false;
    w->arrived = w->passed = 0;
    count_forget(w);
    w->spin = (struct warp_spin){0};
    w->divided.lanes = 0;
    w->quota = 0;
    w->product_groups = w->product.n = w->resize.n = w->bulk_loads = 0;
    w->slice = SLICE;
    suspect_forget(w);
}

void warp_note_poll(struct warp *w)
{
    uint32_t most = w->spin.sure ? SPINS : POLLS;
    w->spins = w->polled = true;
    if (w->slice > most)
        w->slice = most;
}

/* Divides the current leaf at i; parts that are already at the meeting point
 * wait there. */
static struct node *open_split(struct warp *w, const struct inst *i)
{
    struct node *leaf = w->leaf;
    if (leaf->parent && !leaf->is_call && leaf->rpc == i->rpc) {
        struct node *parent = leaf->parent; /* same point: stay flat */
        parent->children++;                 /* held until close_split */
        leaf_drop(w, leaf);
        return parent;
    }
    struct node *inner = leaf_make_inner(w, i->rpc);
    inner->children++;
    return inner;
}

static const struct inst *close_split(struct warp *w, struct node *inner)
{
    inner->children--;
    return leaf_choose(w);
}

/* The slice is over: others first. */
static const struct inst *yield(struct warp *w, const struct inst *pc)
{
    struct node *leaf = w->leaf;
    leaf->pc = pc;
    w->slice = SLICE;
    leaf_unlink(w, leaf);
    struct node **end = &w->leaves;
    while (*end)
        end = &(*end)->next;
    leaf->next = NULL;
    *end = leaf;
    if (w->spins || ++leaf->spins > PATIENCE) {
        w->spins = false;
        leaf->spins = 0;
        warp_release_early(w);
    }
    for (const struct node *n = w->leaves; n; n = n->next)
        if (n != leaf && n->state == NODE_RUN)
            spin_forget(w);
    return NULL; /* the block's loop comes back, maybe to another warp */
}

static const struct inst *jump(struct warp *w, const struct inst *i,
                               const struct inst *target)
{
    if (target > i || (--w->slice & (WEIGHED - 1)))
        return target;
    if (w->slice == 0 || worker_over_footprint(w->worker))
        return yield(w, target);
    return target;
}

const struct inst *op_branch_uniform(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    (void)mask;
    w->worker->counters.branches++;
    return jump(w, i, i->target);
}

/* a: the predicate, xor'ed with guard_xor (guard itself is unused). */
const struct inst *op_branch(struct warp *w, const struct inst *i,
                             uint32_t mask)
{
    uint32_t p = *(uint32_t *)slot(w, i->a) ^ i->guard_xor;
    uint32_t taken = mask & p;
    w->worker->counters.branches++;
    if (taken == mask)
        return jump(w, i, i->target);
    if (!taken)
        return i + 1;
    w->worker->counters.divergent_branches++;
    struct node *leaf = w->leaf;
    bool flat = leaf->parent && !leaf->is_call && leaf->rpc == i->rpc;
    if (flat && i->rpc && i->rpc == i + 1) { /* leaving lanes of a loop */
        leaf->parent->mask |= mask & ~taken;
        w->mask = leaf->mask = taken;
        return jump(w, i, i->target);
    }
    const struct inst *rpc = i->rpc;
    struct node *inner = open_split(w, i);
    leaf_child(w, inner, taken, i->target, rpc);
    leaf_child(w, inner, mask & ~taken, i + 1, rpc);
    if (i->target <= i && --w->slice == 0)
        w->slice = SLICE;
    return close_split(w, inner);
}

/* brx.idx: a holds an index per lane. */
const struct inst *op_branch_index(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    const uint32_t *index = slot(w, i->a);
    const struct detail *t = i->detail;
    uint32_t first = index[first_lane(mask)], same = 0;
    w->worker->counters.branches++;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (index[l] >= t->n_targets)
            return op_unsupported(w, i, mask);
        same |= (uint32_t)(index[l] == first) << l;
    }
    if (same == mask && mask == w->leaf->mask)
        return jump(w, i, t->targets[first]);
    w->worker->counters.divergent_branches++;
    uint32_t rest = mask, others = w->leaf->mask & ~mask;
    struct node *inner = open_split(w, i);
    if (others)
        leaf_child(w, inner, others, i + 1, i->rpc);
    while (rest) {
        uint32_t to = index[first_lane(rest)], go = 0;
        for (uint32_t m = rest; m; m &= m - 1)
            go |= (uint32_t)(index[first_lane(m)] == to) << first_lane(m);
        leaf_child(w, inner, go, t->targets[to], i->rpc);
        rest &= ~go;
    }
    return close_split(w, inner);
}

/* Stands before every meeting point; is no instruction of the program. */
const struct inst *op_reconverge(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    struct engine_counters *c = &w->worker->counters;
    c->warp_instructions--;
    c->lane_instructions -= (unsigned)__builtin_popcount(mask);
    struct node *leaf = w->leaf;
    if (leaf->rpc != i)
        return i + 1;
    leaf->parent->mask |= mask;
    leaf_drop(w, leaf);
    return leaf_choose(w);
}

const struct inst *op_nop(struct warp *w, const struct inst *i, uint32_t mask)
{
    (void)w;
    (void)mask;
    return i + 1;
}

const struct inst *op_unsupported(struct warp *w, const struct inst *i,
                                  uint32_t mask)
{
    struct finding x = {0};
    const struct source *s = finding_source(w->leaf->frame->function, i);
    const char *text = i->detail && i->detail->text ? i->detail->text : s->op;
    snprintf(x.detail, sizeof x.detail, "%s (PTX line %d)", text,
             s->ptx_line);
    finding_add(w, i, first_lane(mask), FIND_UNSUPPORTED, &x);
    return fault_raise(w, FAULT_UNSUPPORTED);
}

const struct inst *op_trap(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    struct finding x = {0};
    finding_add(w, i, first_lane(mask), FIND_TRAP, &x);
    return fault_raise(w, FAULT_TRAP);
}
