// SPDX-License-Identifier: MIT
/*
 * tree.c: where a warp's lanes are. Interface: control.h.
 *
 * The hard idea: lanes form a tree. A leaf is a set of lanes at one pc. When
 * a branch divides it, it becomes an inner node that waits at the
 * reconvergence point (the branch's immediate post-dominator), and its parts
 * become leaves below it. A leaf that reaches the point hands its lanes to
 * the inner node and vanishes; the last one wakes the node. A call is the
 * same with "return" in place of the point.
 */
#include <stdlib.h>

#include "control.h"

#include "simgpu/core/memory/own.h"

static struct node *node_new(struct worker *k)
{
    struct node *n = k->nodes;
    if (n)
        k->nodes = n->next;
    else
        n = own_not_null(malloc(sizeof *n));
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

void leaf_unlink(struct warp *w, struct node *leaf)
{
    struct node **p = &w->leaves;
    while (*p != leaf)
        p = &(*p)->next;
    *p = leaf->next;
    if (w->leaf == leaf)
        w->leaf = NULL;
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
    leaf_unlink(w, root);
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

void leaf_drop(struct warp *w, struct node *leaf)
{
    leaf_unlink(w, leaf);
    drop(w, leaf);
}

/* The current leaf becomes an inner node that goes on at pc. */
struct node *leaf_make_inner(struct warp *w, const struct inst *pc)
{
    struct node *n = w->leaf;
    leaf_unlink(w, n);
    n->state = NODE_INNER;
    n->mask = 0;
    n->pc = pc;
    return n;
}

void leaf_child(struct warp *w, struct node *inner, uint32_t mask,
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

/* Lanes of mask leave the current leaf; the rest goes on. */
const struct inst *leaf_leave(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    struct node *leaf = w->leaf;
    leaf->mask &= ~mask;
    w->mask = leaf->mask;
    if (leaf->mask)
        return i + 1;
    leaf_drop(w, leaf);
    return NULL;
}

const struct inst *leaf_block(struct warp *w, const struct inst *i,
                              uint32_t mask, enum node_state state)
{
    struct node *leaf = w->leaf;
    if (mask != leaf->mask) { /* guarded: the others wait behind it */
        uint32_t others = leaf->mask & ~mask;
        struct node *inner = leaf_make_inner(w, i + 1);
        leaf_child(w, inner, mask, i, i + 1);
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
