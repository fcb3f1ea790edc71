// SPDX-License-Identifier: MIT
/*
 * call.c: calls, returns and exits.
 *
 *   op_call     direct, indirect, and the functions of device_calls.c
 *   op_return   of a device function; of a kernel: exit
 *   op_exit     lanes end; whoever waited only for them goes on
 *
 * The caller's leaf becomes an inner node that waits behind the call; the
 * callee's first leaf is its child, with a frame of its own. Each return
 * hands its lanes and their results to the caller.
 */
#include <stdio.h>

#include "cluster.h"
#include "control.h"
#include "heap.h"
#include "stack.h"
#include "sync.h"
#include "simgpu/core/state/finding.h"

static void copy_params(struct frame *to, uint32_t to_offset,
                        const struct frame *from, uint32_t from_offset,
                        uint32_t bytes, uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        size_t l = (size_t)first_lane(rest);
        __builtin_memcpy(
            to->params + l * to->function->param_bytes + to_offset,
            from->params + l * from->function->param_bytes + from_offset,
            bytes);
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

const struct inst *op_exit(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    w->dead |= mask;
    w->block->live -= (uint32_t)__builtin_popcount(mask);
    const struct inst *next = leaf_leave(w, i, mask);
    bool suspects = sync_recheck(w);
    barrier_recheck(w->block);
    cluster_exit(w, mask);
    if (suspects && next)
        w->leaf->pc = next;
    if (suspects)
        return NULL;
    return next ? next : leaf_choose(w);
}

const struct inst *op_return(struct warp *w, const struct inst *i,
                             uint32_t mask)
{
    struct node *root = w->leaf;
    while (root && !root->is_call)
        root = root->parent;
    if (!root)
        return op_exit(w, i, mask);
    struct node *caller = root->parent;
    const struct call_info *c = root->call->detail->call;
    const struct function *f = root->frame->function;
    for (uint32_t r = 0; r < c->n_results && r < f->n_returns; r++)
        copy_params(caller->frame, c->result[r], root->frame, f->returns[r],
                    least(c->result_bytes[r], f->return_size[r]), mask);
    caller->mask |= mask;
    const struct inst *next = leaf_leave(w, i, mask);
    return next ? next : leaf_choose(w);
}

/* The function that lane l calls through the pointer in a. */
static const struct function *pointed_to(const struct frame *frame,
                                         const struct inst *i, int l)
{
    const struct module *m = frame->function->module;
    uint64_t address = ((const uint64_t *)(frame->regs + i->a))[l];
    uint64_t n = (address - FUNC_WINDOW) / 16;
    return address >= FUNC_WINDOW && n < m->n_functions ? &m->functions[n]
                                                        : NULL;
}

/* What the first lane of mask calls; mask becomes the lanes that do, too. */
static const struct function *callee_of(const struct frame *frame,
                                        const struct inst *i, uint32_t *mask)
{
    const struct call_info *c = i->detail->call;
    if (c->builtin || c->callee)
        return c->callee;
    const struct function *f = pointed_to(frame, i, first_lane(*mask));
    uint32_t same = 0;
    for (uint32_t rest = *mask; rest; rest &= rest - 1)
        same |= (uint32_t)(pointed_to(frame, i, first_lane(rest)) == f)
                << first_lane(rest);
    *mask = same;
    return f;
}

static void enter(struct warp *w, const struct inst *i, struct node *caller,
                  uint32_t mask, const struct function *f)
{
    const struct call_info *c = i->detail->call;
    struct frame *frame = frame_new(w->worker, f);
    frame_begin(w, frame, stack_top(caller->frame));
    for (uint32_t a = 0; a < c->n_args && a < f->n_params; a++)
        copy_params(frame, f->params[a], caller->frame, c->arg[a],
                    least(c->arg_bytes[a], f->param_size[a]), mask);
    struct node *n = leaf_add(w, caller, mask, f->insts);
    n->parent = caller;
    n->rpc = NULL;
    n->frame = frame;
    n->is_call = true;
    n->call = i;
    n->depth++;
    caller->children++;
}

static bool too_deep(const struct warp *w, const struct function *f)
{
    uint32_t local = stack_top(w->leaf->frame);
    return w->leaf->depth >= MAX_CALL_DEPTH ||
           local + f->local_bytes > run_of(w)->kernel->local_bytes;
}

/* A pointer that leads to no function of the device. */
static enum engine_fault leads_nowhere(struct warp *w, const struct inst *i,
                                       int lane)
{
    struct finding x = {.detail = "calls a null pointer"};
    uint64_t to = slot_get(w, i->a, lane, 8);
    if (to)
        snprintf(x.detail, sizeof x.detail,
                 "calls address 0x%llx, where the device has no function: "
                 "one of the host?", (unsigned long long)to);
    finding_add(w, i, lane, FIND_ILLEGAL, &x);
    return FAULT_ILLEGAL;
}

/* Why the callees cannot all be entered; FAULT_NONE: they can. */
static enum engine_fault check_callees(struct warp *w, const struct inst *i,
                                       uint32_t mask)
{
    uint32_t group;
    for (uint32_t rest = mask; rest; rest &= ~group) {
        group = rest;
        const struct function *f = callee_of(w->leaf->frame, i, &group);
        if (!f && !i->detail->call->builtin)
            return leads_nowhere(w, i, first_lane(group));
        if (!f || !f->n_insts)
            return FAULT_UNSUPPORTED;
        if (too_deep(w, f))
            return FAULT_STACK;
    }
    return FAULT_NONE;
}

/* A call by pointer may have one callee per lane: each gets its own leaf. */
static const struct inst *enter_callees(struct warp *w, const struct inst *i,
                                        uint32_t mask)
{
    uint32_t group, others = w->leaf->mask & ~mask;
    struct node *caller = leaf_make_inner(w, i + 1);
    caller->mask = others;
    for (uint32_t rest = mask; rest; rest &= ~group) {
        group = rest;
        const struct function *f = callee_of(caller->frame, i, &group);
        enter(w, i, caller, group, f);
    }
    return leaf_choose(w);
}

const struct inst *op_call(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    const struct call_info *c = i->detail->call;
    if (c->builtin == BUILTIN_PRINTF)
        return call_printf(w, i, mask) ? i + 1 : NULL;
    if (c->builtin == BUILTIN_ASSERT) {
        call_assert(w, i, mask);
        return NULL;
    }
    if (c->builtin == BUILTIN_MALLOC) {
        call_malloc(w, i, mask);
        return i + 1;
    }
    if (c->builtin == BUILTIN_FREE)
        return call_free(w, i, mask) ? i + 1 : NULL;
    enum engine_fault fault = check_callees(w, i, mask);
    if (fault == FAULT_UNSUPPORTED)
        return op_unsupported(w, i, mask);
    if (fault == FAULT_STACK) {
        struct finding x = {.detail = "calls nest too deep"};
        finding_add(w, i, first_lane(mask), FIND_STACK, &x);
    }
    if (fault)
        return fault_raise(w, fault);
    return enter_callees(w, i, mask);
}
