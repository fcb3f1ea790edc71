// SPDX-License-Identifier: MIT
/*
 * load_store.c: loads and stores of any space, size and vector, lane by lane; the
 * lanes_memory.c handlers come here when an access is not plain.
 *
 *   op_load, op_store, op_load_param
 *   op_load_wide, op_store_wide      of 128 bits, undivided
 *   op_discard                       what was written no longer is
 *   lane_addresses, count_access
 *   find_watched    reports who writes the address that is watched
 *
 * An access is suppressed, and the launch ends, when a lane's address is
 * wrong. Lanes may be in different spaces when the address is generic.
 */
#include "load_store.h"

#include <string.h>

#include "control.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/core/model/traffic.h"
#include "simgpu/core/race/detect.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"

/* An address that none of the GPU's spaces has. */
static bool is_hosts(const struct engine *e, const struct detail *t,
                     uint64_t address)
{
    return (t->space == PTX_SPACE_GLOBAL || t->space == PTX_SPACE_GENERIC) &&
           (address < SHARED_WINDOW ||
            (address >= DEVICE_BASE &&
             address - DEVICE_BASE >= e->memory.reserved));
}

void lane_addresses(const struct warp *w, const struct inst *i, uint32_t mask,
                    uint64_t addr[LANES])
{
    const struct detail *t = i->detail;
    const void *base = slot(w, i->a);
    const struct engine *e = run_of(w)->engine;
    uint64_t frame = t->space == PTX_SPACE_LOCAL && t->op
                         ? w->leaf->frame->local_base : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        addr[l] = t->address64 ? ((const uint64_t *)base)[l]
                               : ((const uint32_t *)base)[l];
        addr[l] += (uint64_t)i->imm + frame;
        if (e->registered && is_hosts(e, t, addr[l]))
            addr[l] = mapped_at(&e->memory, addr[l]);
    }
}

static void count_global(struct engine_counters *c, const struct detail *t,
                         uint32_t mask, const uint64_t addr[LANES])
{
    uint64_t bytes = (uint64_t)__builtin_popcount(mask) * t->size * t->n;
    if (t->atomic) {
        c->global_atomics++;
    } else if (t->write) {
        c->global_store_requests++;
        c->global_store_sectors += access_sectors(addr, mask);
        c->global_store_bytes += bytes;
    } else {
        c->global_load_requests++;
        c->global_load_sectors += access_sectors(addr, mask);
        c->global_load_bytes += bytes;
    }
}

static void count_shared(struct engine_counters *c, const struct detail *t,
                         uint32_t mask, const uint64_t addr[LANES])
{
    if (t->atomic) {
        c->shared_atomics++;
        return;
    }
    struct wavefronts x = access_wavefronts(
        addr, mask, (uint32_t)t->size * t->n, !t->write);
    if (t->write) {
        c->shared_store_requests++;
        c->shared_store_wavefronts += x.wavefronts;
        c->shared_store_conflicts += x.conflicts;
    } else {
        c->shared_load_requests++;
        c->shared_load_wavefronts += x.wavefronts;
        c->shared_load_conflicts += x.conflicts;
    }
}

void count_access(struct worker *k, const struct detail *t, uint8_t space,
                  uint32_t mask, const uint64_t addr[LANES])
{
    if (k->tap)
        tap_access(k, t, space, mask, addr);
    if (!mask || !(k->run->checks & CHECK_COUNTERS))
        return;
    if (space == PTX_SPACE_GLOBAL)
        count_global(&k->counters, t, mask, addr);
    else if (space == PTX_SPACE_SHARED)
        count_shared(&k->counters, t, mask, addr);
    else if (space == PTX_SPACE_LOCAL && t->write)
        k->counters.local_store_requests++;
    else if (space == PTX_SPACE_LOCAL)
        k->counters.local_load_requests++;
}

/* Observers of a slow access: one event a space. */
static void observe(struct warp *w, const struct inst *i, uint32_t mask,
                    uint64_t addr[LANES], const struct place *places)
{
    uint32_t in[PTX_SPACE_PARAM + 1] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        in[places[first_lane(rest)].space] |= rest & -rest;
    uint32_t shared = in[PTX_SPACE_SHARED];
    for (uint32_t rest = shared; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        addr[l] = places[l].first; /* from generic to shared */
    }
    for (uint8_t space = PTX_SPACE_GLOBAL; space <= PTX_SPACE_LOCAL; space++)
        count_access(w->worker, i->detail, space, in[space], addr);
}

void race_spaces(struct warp *w, const struct inst *i, uint32_t mask,
                 const uint64_t *addr, const struct place *places,
                 race_event *what)
{
    uint64_t at[LANES];
    uint32_t in[PTX_SPACE_PARAM + 1] = {0};
    if (!w->worker->race)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        in[places[l].space] |= rest & -rest;
        at[l] = places[l].space == PTX_SPACE_SHARED ? places[l].first : addr[l];
    }
    if (in[PTX_SPACE_SHARED])
        what(w, i, in[PTX_SPACE_SHARED], at, true);
    if (in[PTX_SPACE_GLOBAL])
        what(w, i, in[PTX_SPACE_GLOBAL], at, false);
}

static bool find_places(struct warp *w, const struct inst *i, uint32_t mask,
                        const uint64_t addr[LANES], struct place *places)
{
    const struct detail *t = i->detail;
    uint32_t bytes = (uint32_t)t->size * t->n;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (!place_of(w, i, l, addr[l], bytes, &places[l]))
            return false;
    }
    return true;
}

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
        if (t->slot[e] == NO_SLOT)
            continue;
        if (t->reg == 8)
            ((uint64_t *)slot(w, t->slot[e]))[l] = v;
        else
            ((uint32_t *)slot(w, t->slot[e]))[l] = (uint32_t)v;
    }
}

static void store_lane(struct warp *w, const struct inst *i, int l,
                       uint8_t *to)
{
    const struct detail *t = i->detail;
    for (int e = 0; e < t->n; e++) {
        uint64_t v = t->reg == 8 ? ((uint64_t *)slot(w, t->slot[e]))[l]
                                 : ((uint32_t *)slot(w, t->slot[e]))[l];
        memcpy(to + (size_t)e * t->size, &v, t->size);
    }
}

void find_watched(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t addr[LANES])
{
    const struct detail *t = i->detail;
    uint64_t watch = run_of(w)->watch, bytes = (uint64_t)t->size * t->n;
    for (uint32_t rest = watch ? mask : 0; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct finding x = {.space = PTX_SPACE_GLOBAL, .address = watch,
                            .bytes = (uint32_t)bytes};
        if (watch - addr[l] < bytes)
            finding_add(w, i, l, FIND_WATCHED, &x);
    }
}

static bool any_used_unset(const struct detail *t, const struct place *p)
{
    for (uint32_t used = t->used; used; used &= used - 1)
        if (!bits_all(p->init, p->first + (uint32_t)__builtin_ctz(used), 1))
            return true;
    return false;
}

/* Whole structures are copied by words of 8 bytes, padding included: half of
 * one may be unset. nvcc 12 says which bytes it needs of a vector. */
static bool any_unset(const struct detail *t, const struct place *p)
{
    if (bits_all(p->init, p->first, (uint64_t)t->size * t->n))
        return false;
    if (t->used)
        return any_used_unset(t, p);
    for (uint32_t e = 0; e < t->n; e++) {
        uint64_t first = p->first + e * t->size;
        bool set = bits_all(p->init, first, t->size) ||
                   (t->size == 8 && (bits_all(p->init, first, 4) ||
                                     bits_all(p->init, first + 4, 4)));
        if (!set)
            return true;
    }
    return false;
}

const struct inst *op_load(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    uint64_t addr[LANES];
    struct place places[LANES];
    const struct detail *t = i->detail;
    lane_addresses(w, i, mask, addr);
    if (!find_places(w, i, mask, addr, places))
        return NULL;
    bool check = run_of(w)->checks & CHECK_MEMORY;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        const struct place *p = &places[l];
        if (check && p->init && any_unset(t, p))
            find_uninitialised(w, i, l, addr[l]);
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        load_lane(w, i, first_lane(rest), places[first_lane(rest)].host);
    if (t->acquire) {
        race_spaces(w, i, mask, addr, places, race_acquire);
        note_poll(w);
    }
    race_spaces(w, i, mask, addr, places, race_access);
    observe(w, i, mask, addr, places);
    return i + 1;
}

const struct inst *op_store(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    uint64_t addr[LANES];
    struct place places[LANES];
    const struct detail *t = i->detail;
    uint32_t bytes = (uint32_t)t->size * t->n;
    lane_addresses(w, i, mask, addr);
    if (!find_places(w, i, mask, addr, places))
        return NULL;
    if (t->acquire)
        race_spaces(w, i, mask, addr, places, race_release);
    race_spaces(w, i, mask, addr, places, race_access);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        const struct place *p = &places[l];
        if (p->space == PTX_SPACE_SHARED && w->worker->pending)
            find_copy(w, i, l, p->first, bytes);
        store_lane(w, i, l, p->host);
        if (p->shared_bits)
            bits_set_shared(p->init, p->first, bytes);
        else if (p->init)
            bits_set(p->init, p->first, bytes);
    }
    find_watched(w, i, mask, addr);
    observe(w, i, mask, addr, places);
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
    uint64_t addr[LANES];
    struct place p;
    lane_addresses(w, i, mask, addr);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (!place_of(w, i, l, addr[l], i->detail->size, &p))
            return NULL;
        bits_clear(p.init, p.first, i->detail->size);
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
        if (i->detail->write)
            store_lane(w, i, l, p);
        else
            load_lane(w, i, l, p);
    }
    return i + 1;
}
