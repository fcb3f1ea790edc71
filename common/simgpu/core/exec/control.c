// SPDX-License-Identifier: MIT
/*
 * control.c: where a warp's lanes are: branches, calls, exits.
 *
 *   warp_start          lanes at the kernel's first instruction
 *   leaf_choose         makes a leaf that can run the current one
 *   leaf_block          the current leaf waits at a barrier or .sync
 *   leaf_add, leaf_make_inner, leaf_leave   the tree, for calls
 *   leaf_merge_waiting  what waits at one place becomes one leaf
 *   leaf_part           what waits for different lanes becomes two
 *   warp_note_poll      an access that spin loops make
 *   warp_release_early  lanes waiting to reconverge go on alone
 *   warp_release_exits  those that would then exit
 *   op_branch ...       the handlers
 *
 * The hard idea: lanes form a tree. A leaf is a set of lanes at one pc. When
 * a branch divides it, it becomes an inner node that waits at the
 * reconvergence point (the branch's immediate post-dominator), and its parts
 * become leaves below it. A leaf that reaches the point hands its lanes to
 * the inner node and vanishes; the last one wakes the node. A call is the
 * same with "return" in place of the point. Lanes may spin on a lock that a
 * waiting sibling holds: after many backward branches, fewer in a loop that
 * polls memory, the waiting lanes are released before the others come.
 */
#include <stdlib.h>

#include "control.h"
#include "simgpu/core/state/finding.h"

enum {
    SLICE = 4096,       /* backward branches before another leaf's turn */
    POLLS = 256,        /* the same in a loop that polls memory */
    PATIENCE = 16,      /* slices of one leaf alone, then early release */
};

static struct node *node_new(struct worker *k)
{
    struct node *n = k->nodes;
    if (n)
        k->nodes = n->next;
    else if (!(n = malloc(sizeof *n)))
        abort(); /* a few bytes: the host itself is out of memory */
    *n = (struct node){0};
    return n;
}

void node_recycle(struct worker *k, struct node *n)
{
    n->next = k->nodes;
    k->nodes = n;
}

struct node *leaf_add(struct warp *w, const struct node *like, uint32_t mask,
                      const struct inst *pc)
{
    struct node *n = node_new(w->worker);
    n->mask = mask;
    n->pc = pc;
    n->rpc = like->rpc;
    n->frame = like->frame;
    n->depth = like->depth;
    n->parent = like->parent;
    n->next = w->leaves;
    w->leaves = n;
    return n;
}

static void unlink_leaf(struct warp *w, struct node *leaf)
{
    struct node **p = &w->leaves;
    while (*p != leaf)
        p = &(*p)->next;
    *p = leaf->next;
    if (w->leaf == leaf)
        w->leaf = NULL;
}

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
    w->quota = 0;
    w->product_groups = 0;
    w->slice = SLICE;
}

void warp_note_poll(struct warp *w)
{
    w->spins = true;
    if (w->slice > POLLS)
        w->slice = POLLS;
}

/* Continues with leaf n. */
static const struct inst *resume(struct warp *w, struct node *n)
{
    w->leaf = n;
    w->mask = n->mask;
    w->regs = n->frame->regs;
    return n->pc;
}

const struct inst *leaf_choose(struct warp *w)
{
    for (struct node *n = w->leaves; n; n = n->next)
        if (n->state == NODE_RUN)
            return resume(w, n);
    w->leaf = NULL;
    return NULL;
}

/* Takes a leaf (or a woken inner node) without lanes out of the tree. */
static void drop(struct warp *w, struct node *n)
{
    struct node *parent;
    for (;;) {
        parent = n->parent;
        if (n->is_call) {
            n->frame->next = w->worker->frames;
            w->worker->frames = n->frame;
        }
        node_recycle(w->worker, n);
        if (!parent || --parent->children > 0)
            break;
        if (parent->mask) { /* all who will come have come */
            parent->state = NODE_RUN;
            parent->next = w->leaves;
            w->leaves = parent;
            return;
        }
        n = parent;
    }
    if (!parent && !w->leaves) /* a parent may be about to get new leaves */
        w->done = true;
}

/* A callee's first leaf: below it there are to be several. */
static struct node *below_call(struct warp *w, struct node *root)
{
    uint32_t mask = root->mask;
    enum node_state state = root->state;
    const struct inst *pc = root->pc;
    unlink_leaf(w, root);
    root->state = NODE_INNER;
    root->mask = 0;
    root->pc = NULL;
    struct node *n = leaf_add(w, root, mask, pc);
    n->parent = root;
    n->state = (uint8_t)state;
    root->children = 1;
    return n;
}

/* The lanes of mask leave the leaf, which waits, for one of their own that
 * waits, too. Returns the leaf of the others. */
struct node *leaf_part(struct warp *w, struct node *leaf, uint32_t mask,
                       struct node **apart)
{
    if (leaf->is_call)
        leaf = below_call(w, leaf);
    struct node *n = leaf_add(w, leaf, mask, leaf->pc);
    n->state = leaf->state;
    if (n->parent)
        n->parent->children++;
    leaf->mask &= ~mask;
    *apart = n;
    return leaf;
}

static bool same_place(const struct node *a, const struct node *b)
{
    return a->state == b->state && a->pc == b->pc && a->rpc == b->rpc &&
           a->parent == b->parent && a->frame == b->frame &&
           a->sync == b->sync && a->barrier == b->barrier && !a->is_call &&
           !b->is_call;
}

/* Lanes that were let go early, and meet the others where all of them wait,
 * go on with them: programs count on it. */
void leaf_merge_waiting(struct warp *w, enum node_state state)
{
    for (struct node *a = w->leaves; a; a = a->next)
        for (struct node **p = &a->next; a->state == state && *p;) {
            struct node *b = *p;
            if (!same_place(a, b)) {
                p = &b->next;
                continue;
            }
            a->mask |= b->mask;
            *p = b->next;
            if (b->parent)
                b->parent->children--;
            node_recycle(w->worker, b);
        }
}

static void drop_leaf(struct warp *w, struct node *leaf)
{
    unlink_leaf(w, leaf);
    drop(w, leaf);
}

/* The current leaf becomes an inner node that goes on at pc. */
struct node *leaf_make_inner(struct warp *w, const struct inst *pc)
{
    struct node *n = w->leaf;
    unlink_leaf(w, n);
    n->state = NODE_INNER;
    n->mask = 0;
    n->pc = pc;
    return n;
}

static void add_child(struct warp *w, struct node *inner, uint32_t mask,
                      const struct inst *pc, const struct inst *rpc)
{
    if (pc == rpc) {
        inner->mask |= mask;
        return;
    }
    struct node *n = leaf_add(w, inner, mask, pc);
    n->parent = inner;
    n->rpc = rpc;
    inner->children++;
}

/* Divides the current leaf at i; parts that are already at the meeting point
 * wait there. */
static struct node *open_split(struct warp *w, const struct inst *i)
{
    struct node *leaf = w->leaf;
    if (leaf->parent && !leaf->is_call && leaf->rpc == i->rpc) {
        struct node *parent = leaf->parent; /* same point: stay flat */
        parent->children++;                 /* held until close_split */
        drop_leaf(w, leaf);
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
    unlink_leaf(w, leaf);
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
    return NULL; /* the block's loop comes back, maybe to another warp */
}

static const struct inst *jump(struct warp *w, const struct inst *i,
                               const struct inst *target)
{
    if (target <= i && --w->slice == 0)
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
    add_child(w, inner, taken, i->target, rpc);
    add_child(w, inner, mask & ~taken, i + 1, rpc);
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
        add_child(w, inner, others, i + 1, i->rpc);
    while (rest) {
        uint32_t to = index[first_lane(rest)], go = 0;
        for (uint32_t m = rest; m; m &= m - 1)
            go |= (uint32_t)(index[first_lane(m)] == to) << first_lane(m);
        add_child(w, inner, go, t->targets[to], i->rpc);
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
    drop_leaf(w, leaf);
    return leaf_choose(w);
}

/* Lanes of mask leave the current leaf; the rest goes on. */
const struct inst *leaf_leave(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    struct node *leaf = w->leaf;
    leaf->mask &= ~mask;
    w->mask = leaf->mask;
    if (leaf->mask)
        return i + 1;
    drop_leaf(w, leaf);
    return NULL;
}

const struct inst *leaf_block(struct warp *w, const struct inst *i,
                              uint32_t mask, enum node_state state)
{
    struct node *leaf = w->leaf;
    if (mask != leaf->mask) { /* guarded: the others wait behind it */
        uint32_t others = leaf->mask & ~mask;
        struct node *inner = leaf_make_inner(w, i + 1);
        add_child(w, inner, mask, i, i + 1);
        inner->mask = others;
        leaf = w->leaves;
    }
    leaf->pc = i;
    leaf->state = (uint8_t)state;
    w->leaf = leaf;
    return NULL;
}

/* Divides an inner node: the lanes that wait at its point become a leaf beside
 * it. In a callee's first node they become one below it: the frame is that
 * node's, and a return looks for it above. */
static bool release_from(struct warp *w, struct node *n)
{
    if (!n->mask || !n->pc)
        return false;
    struct node *leaf = leaf_add(w, n, n->mask, n->pc);
    n->mask = 0;
    if (n->is_call)
        leaf->parent = n;
    if (leaf->parent)
        leaf->parent->children++;
    return true;
}

static bool release_where(struct warp *w, bool (*is)(const struct node *n))
{
    bool any = false;
    for (struct node *leaf = w->leaves; leaf; leaf = leaf->next)
        for (struct node *n = leaf->parent; n; n = n->parent)
            if (is(n) && release_from(w, n)) {
                any = true;
                break;
            }
    return any;
}

static bool any_node(const struct node *n)
{
    return n != NULL;
}

bool warp_release_early(struct warp *w)
{
    return release_where(w, any_node);
}

/* The kernel's end is all that comes after the meeting point. */
static bool meets_at_exit(const struct node *n)
{
    const struct inst *i = n->pc;
    for (const struct node *up = n; up; up = up->parent)
        if (up->is_call)
            return false;
    while (i && i->fn == op_reconverge)
        i++;
    return i && !i->guard && (i->fn == op_exit || i->fn == op_return);
}

bool warp_release_exits(struct warp *w)
{
    return release_where(w, meets_at_exit);
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
