// SPDX-License-Identifier: MIT
/*
 * move.c: moves that are more than a copy: vectors of halves, clocks,
 * addresses of local variables, tests of an address's space.
 */
#include "move.h"
#include "freeze.h"

#include "simgpu/core/state/observe.h"
#include "simgpu/host/threads.h"

/* mov d, {a, b, ...}: the first element is the lowest. */
const struct inst *op_pack(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    const struct detail *t = i->detail;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t v = 0, part = (1ull << 8 * t->size) - 1;
        for (int e = 0; e < t->n; e++)
            v |= (slot_get(w, t->slot[e], l, 4) & part) << 8 * t->size * e;
        slot_put(w, i->d, l, t->reg, v);
    }
    return i + 1;
}

const struct inst *op_unpack(struct warp *w, const struct inst *i,
                             uint32_t mask)
{
    const struct detail *t = i->detail;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t v = slot_get(w, i->a, l, t->reg);
        uint64_t part = (1ull << 8 * t->size) - 1;
        for (int e = 0; e < t->n; e++)
            slot_put(w, t->slot[e], l, 4, v >> 8 * t->size * e & part);
    }
    return i + 1;
}

/* Both halves of 128 bits: a, b into d, c. */
const struct inst *op_mov_wide(struct warp *w, const struct inst *i,
                               uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t low = slot_get(w, i->a, l, 8), high = slot_get(w, i->b, l, 8);
        slot_put(w, i->d, l, 8, low);
        slot_put(w, i->c, l, 8, high);
    }
    return i + 1;
}

/* An observer's, or not the time of a GPU (freeze.h); but it only grows. */
static uint64_t clock_of(struct warp *w, bool nanoseconds)
{
    const struct observer *to = run_of(w)->traffic;
    return to && to->now ? to->now(w, nanoseconds) : freeze_clock(w);
}

/* imm: a timer, not a counter of clocks; p1: the upper half. */
const struct inst *op_clock(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    uint64_t t = clock_of(w, i->imm);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        slot_put(w, i->d, first_lane(rest), i->p0, i->p1 ? t >> 32 : t);
    return i + 1;
}

const struct inst *op_local_address(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    uint64_t address = w->leaf->frame->local_base + (uint64_t)i->imm;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        slot_put(w, i->d, first_lane(rest), i->p0, address);
    return i + 1;
}

/* Constants have no window of their own: they are what they were declared. */
static bool is_constant(const struct engine *e, uint64_t a)
{
    for (const struct module *m = e->modules; m; m = m->next)
        for (size_t v = 0; v < m->n_variables; v++)
            if (m->variables[v].space == PTX_SPACE_CONST &&
                a - m->variables[v].address < m->variables[v].bytes)
                return true;
    return false;
}

/* cluster: another block's will do. */
static bool in_shared(const struct worker *k, uint64_t a, bool cluster)
{
    uint64_t rank = (a - SHARED_WINDOW) >> SHARED_RANK;
    return a - SHARED_WINDOW < WINDOW_BYTES &&
           (cluster || !rank || rank - 1 == k->rank);
}

static bool in_space(const struct engine *e, uint8_t space, uint64_t a)
{
    bool shared = a - SHARED_WINDOW < WINDOW_BYTES;
    bool local = a - LOCAL_WINDOW < WINDOW_BYTES;
    bool param = a - PARAM_WINDOW < WINDOW_BYTES;
    switch (space) {
    case PTX_SPACE_LOCAL: return local;
    case PTX_SPACE_PARAM: return param;
    case PTX_SPACE_GLOBAL:
        return !shared && !local && !param && !is_constant(e, a);
    default: return is_constant(e, a);
    }
}

const struct inst *op_isspacep(struct warp *w, const struct inst *i,
                               uint32_t mask)
{
    uint32_t p = 0, *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t a = slot_get(w, i->a, l, 8);
        bool is = i->p0 == PTX_SPACE_SHARED
                      ? in_shared(w->worker, a, i->p1)
                      : in_space(run_of(w)->engine, i->p0, a);
        p |= (uint32_t)is << l;
    }
    *d = (*d & ~mask) | p;
    return i + 1;
}
