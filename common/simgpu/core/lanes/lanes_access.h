// SPDX-License-Identifier: MIT
/*
 * lanes_access.h: an access of a whole warp, in vector code; included by
 * lanes_memory.c and lanes_tile.c, once per vector width.
 *
 *   read_addresses   base register and offset, lane by lane; 32 bits wrap
 *   find_window      whether all lanes are in the array touched last, or in
 *                    another one that is known
 *   initialised      whether all that is read was written
 *   mark             it is, from now on
 *   observe          tells the observers: what access_raise does, with counters
 *                    and races in vector code
 *   observe_costs, observe_races   the halves of it (access/raise.h)
 */
#ifndef SIMGPU_LANES_ACCESS_H
#define SIMGPU_LANES_ACCESS_H

#include "lanes.h"
#include "simgpu/core/access/count.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/race/race_lanes.h"

#define INLINE ACCESS_INLINE

enum { NEAR = 512 }; /* bytes: init bits worth reading as a range */

INLINE void read_addresses(const struct warp *w, const struct inst *i,
                           uint32_t mask, int bytes, struct access *b)
{
    const void *base = slot(w, i->a);
    uint64_t imm = (uint64_t)i->imm;
    if (i->detail->address64)
        for (int l = 0; l < LANES; l++)
            b->addr[l] = ((const uint64_t *)base)[l] + imm;
    else
        for (int l = 0; l < LANES; l++)
            b->addr[l] = ((const uint32_t *)base)[l] + (uint32_t)imm;
    access_shape(b, mask, bytes);
}

/* All lanes aligned, and within the window. */
INLINE bool inside(const struct access *b, const struct window *win, int bytes)
{
    uint64_t limit = win->hi - win->lo - (uint64_t)bytes, out = 0, low = 0;
    for (int l = 0; l < LANES; l++) {
        uint64_t offset = b->addr[l] - win->lo;
        out |= offset | (limit - offset); /* below zero: the top bit */
        low |= b->addr[l];
    }
    return (int64_t)(out | limit) >= 0 && !(low & (uint64_t)(bytes - 1));
}

INLINE bool find_window(struct warp *w, const struct access *b, int bytes,
                        bool shared, struct window *win)
{
    if (inside(b, win, bytes))
        return true;
    bool known = shared ? window_shared(w, b->addr[0], win)
                        : window_global(w, b->addr[0], win);
    return known && inside(b, win, bytes);
}

/* The bits of `bytes` bytes from a, a multiple of 4; bytes is one of 64. */
INLINE bool range_is(const struct window *win, uint64_t a, int bytes)
{
    const uint8_t *p = (const uint8_t *)(win->init + (a >> 3));
    uint64_t all = UINT64_MAX, half = a & 4 ? 0xf : 0;
    for (int k = 0; k < bytes / 8; k += 8) {
        uint64_t word;
        __builtin_memcpy(&word, p + k, 8);
        all &= word | (k ? 0 : half);
    }
    return all == UINT64_MAX && (!half || (p[bytes / 8] & half) == half);
}

/* Bits of one lane's bytes, in the low end; ones() when all are set. */
INLINE uint32_t lane_bits(uintptr_t init, uint64_t a, int bytes)
{
    const uint8_t *p = (const uint8_t *)(init + (a >> 3));
    if (bytes == 4)
        return *p >> (a & 4) & 0xf;
    if (bytes == 8)
        return *p;
    return p[0] & p[1];
}

INLINE uint32_t ones(int bytes)
{
    return bytes == 4 ? 0xf : 0xff;
}

/* All bits of the few bytes that an access lies in. */
INLINE bool near_initialised(struct access *b, const struct window *win,
                             bool shared)
{
    if (!shared) {
        if (win->hi - win->lo > INT32_MAX)
            return false;
        access_spread(b);
    }
    if (b->spread >= NEAR)
        return false;
    uint64_t bits = UINT64_MAX;
    const uint8_t *p = (const uint8_t *)(win->init + (b->low >> 3));
    for (uint32_t k = 0; k < (b->spread + 23) / 64 + 1; k++) {
        uint64_t word;
        __builtin_memcpy(&word, p + 8 * k, 8);
        bits &= word;
    }
    return bits == UINT64_MAX;
}

INLINE bool initialised(struct access *b, const struct window *win, int bytes,
                        bool shared)
{
    if (b->uniform)
        return lane_bits(win->init, b->addr[0], bytes) == ones(bytes);
    if (b->unit)
        return range_is(win, b->addr[0], LANES * bytes);
    if (near_initialised(b, win, shared))
        return true;
    uint32_t all = ones(bytes);
    for (int l = 0; l < LANES; l++)
        all &= lane_bits(win->init, b->addr[l], bytes);
    return all == ones(bytes);
}

INLINE void observe_costs(struct warp *w, const struct inst *i, uint32_t mask,
                          struct access *b, int bytes, bool shared, bool write,
                          uintptr_t host)
{
    struct worker *k = w->worker;
    const struct run *r = k->run;
    const struct access_form *form = &i->detail->access;
    access_init(b, w, i, form, shared ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL,
                mask);
    b->stored = host;
    access_raise_traffic(r, b);
    if (r->checks & CHECK_COUNTERS) {
        if (shared)
            count_shared(&k->counters, &k->patterns[form->site], b, bytes,
                         write);
        else
            count_global(&k->counters, b, bytes, write);
    }
    if (r->inputs)
        count_inputs(&k->counters, r->inputs, b);
}

/* Of a launch that is looked at. */
INLINE void observe_races(const struct run *r, struct access *b, int bytes,
                          bool shared, bool write)
{
    b->mask = race_lanes(b, bytes, shared, write);
    access_raise_races(r, b);
}

INLINE void observe(struct warp *w, const struct inst *i, uint32_t mask,
                    struct access *b, int bytes, bool shared, bool write,
                    const struct window *win)
{
    struct run *r = run_of(w);
    if (i->detail->access.space == PTX_SPACE_CONST) {
        access_init(b, w, i, &i->detail->access, PTX_SPACE_CONST, mask);
        access_raise_traffic(r, b);
        if (r->checks & CHECK_COUNTERS)
            count_constant(&w->worker->counters, b);
        return;
    }
    observe_costs(w, i, mask, b, bytes, shared, write, win->host);
    if (!r->races || i->detail->access.chosen)
        return;
    if (win->constant && write)
        run_strays(r);
    else if (win->constant && run_is_constant(r, b->addr[0]))
        return;
    observe_races(r, b, bytes, shared, write);
}

INLINE void mark(const struct access *b, uint32_t mask,
                 const struct window *win, int bytes, bool shared)
{
    uint8_t *first = (uint8_t *)(win->init + (b->addr[0] >> 3));
    if (b->unit && !(b->addr[0] & 7)) {
        __builtin_memset(first, 0xff, (size_t)(LANES * bytes / 8));
        return;
    }
    uint8_t *bits = (uint8_t *)win->init;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t a = b->addr[first_lane(rest)];
        if (lane_bits(win->init, a, bytes) == ones(bytes))
            continue;
        if (shared)
            bits_set(bits, a, (uint64_t)bytes);
        else
            bits_set_atomic(bits, a, (uint64_t)bytes);
    }
}

#endif
