// SPDX-License-Identifier: MIT
/*
 * load_store.c: loads and stores of any space, size and vector, lane by lane;
 * the lanes_memory.c handlers come here when an access is not plain.
 *
 *   op_load, op_store, op_load_param, op_load_launch_param
 *   op_load_wide, op_store_wide      of 128 bits, undivided
 *   op_discard                       what was written no longer is
 *
 * An access is suppressed, and the launch ends, when a lane's address is
 * wrong. Lanes may be in different spaces when the address is generic.
 */
#include "load_store.h"

#include <string.h>

#include "control.h"
#include "spin.h"
#include "still.h"
#include "suspect.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/host/threads.h"

static uint64_t widen(const struct detail *t, uint64_t v)
{
    unsigned up = 64 - 8u * t->size;
    return t->is_signed && t->size < 8 ? (uint64_t)((int64_t)(v << up) >> up)
                                       : v;
}

static void load_lane(struct warp *w, const struct inst *i, int l,
                      const uint8_t *from)
{
    const struct detail *t = i->detail;
    for (int e = 0; e < t->n; e++) {
        uint64_t v = 0;
        memcpy(&v, from + (size_t)e * t->size, t->size);
        v = widen(t, v);
        if (t->slot[e] != NO_SLOT)
            slot_put(w, t->slot[e], l, t->reg, v);
    }
}

static void store_lane(struct warp *w, const struct inst *i, int l,
                       uint8_t *to)
{
    const struct detail *t = i->detail;
    for (int e = 0; e < t->n; e++) {
        uint64_t v = slot_get(w, t->slot[e], l, t->reg);
        memcpy(to + (size_t)e * t->size, &v, t->size);
    }
}

const struct inst *op_load(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    struct access a, part[PARTS];
    struct place places[LANES];
    uint8_t unset[LANES];
    access_begin(&a, w, i, mask);
    if (!access_places(&a, places))
        return NULL;
    bool followed = w->follower;
    uint32_t partly = values_partly(&a, places, unset);
    a.mask &= ~partly;
    values_read(&a, places);
    a.mask = mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        load_lane(w, i, first_lane(rest), places[first_lane(rest)].host);
    int n = access_split(&a, places, part);
    w->asked.wrote |= a.form->strong && spin_wrote(w);
    for (int k = 0; k < n && a.form->strong; k++)
        observe_acquire(&part[k]);
    for (int k = 0; k < n; k++)
        (a.form->chosen ? access_raise_costs : access_raise)(&part[k]);
    if (a.form->strong) {
        spin_look(w, i, access_key(&a));
        warp_note_poll(w);
        if (still_asked(w))
            still_look(w, &part[0]);
    }
    if (partly)
        suspect_load(&a, partly, unset);
    if (followed || !w->follower)
        return i + 1;
    w->leaf->pc = i + 1; /* the loop that follows values goes on */
    return NULL;
}

const struct inst *op_store(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    struct access a, part[PARTS];
    struct place places[LANES];
    access_begin(&a, w, i, mask);
    if (!access_places(&a, places))
        return NULL;
    int n = access_split(&a, places, part);
    for (int k = 0; k < n && a.form->strong; k++)
        observe_release(&part[k]);
    for (int k = 0; k < n; k++)
        access_raise(&part[k]);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        store_lane(w, i, first_lane(rest), places[first_lane(rest)].host);
    values_written(&a, places);
    return i + 1;
}

const struct inst *op_load_wide(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    lock_take(run_of(w)->engine->wide);
    const struct inst *next = op_load(w, i, mask);
    lock_leave(run_of(w)->engine->wide);
    return next;
}

const struct inst *op_store_wide(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    lock_take(run_of(w)->engine->wide);
    const struct inst *next = op_store(w, i, mask);
    lock_leave(run_of(w)->engine->wide);
    return next;
}

const struct inst *op_discard(struct warp *w, const struct inst *i,
                              uint32_t mask)
{
    struct access a;
    struct place places[LANES];
    access_begin(&a, w, i, mask);
    if (!access_places(&a, places))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct place *p = &places[first_lane(rest)];
        bits_clear(p->init, p->first, a.bytes);
    }
    return i + 1;
}

/* ld.param and st.param of a device function's frame; imm: the offset. */
const struct inst *op_load_param(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    struct frame *f = w->leaf->frame;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint8_t *p = f->params + (size_t)l * f->function->param_bytes +
                     (size_t)i->imm;
        if (i->detail->access.write)
            store_lane(w, i, l, p);
        else
            load_lane(w, i, l, p);
    }
    return i + 1;
}

/* ld.param of several of the kernel's own parameters: each is the same for all
 * lanes. One alone is a broadcast (lanes/). imm: where they begin. */
const struct inst *op_load_launch_param(struct warp *w, const struct inst *i,
                                        uint32_t mask)
{
    const struct detail *t = i->detail;
    for (int e = 0; e < t->n; e++) {
        uint64_t v = 0;
        memcpy(&v, run_of(w)->params + i->imm + e * t->size, t->size);
        v = widen(t, v);
        for (uint32_t rest = mask; rest && t->slot[e] != NO_SLOT;
             rest &= rest - 1)
            slot_put(w, t->slot[e], first_lane(rest), t->reg, v);
    }
    return i + 1;
}
