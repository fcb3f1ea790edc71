// SPDX-License-Identifier: MIT
/*
 * lanes_memory.c: loads and stores of 4, 8 and 16 bytes per lane, in vector
 * code: global (and generic addresses that turn out global) and shared.
 *
 * An instruction remembers the array that it touched last (a window), so
 * that bounds of 32 lanes are two vector operations. Whatever is not plain,
 * an error included, goes to detail->slow before anything happened.
 * Lanes that take no part get the address of one that does.
 */
#include "lanes.h"
#include "simgpu/core/access/count.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/race/race_lanes.h"
#include "simgpu/core/state/observe.h"

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
            b->addr[l] = ((const uint32_t *)base)[l] + imm;
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

/* Observers ---------------------------------------------------------------- */

/* What access_raise does, with counters and races in vector code. */
INLINE void observe(struct warp *w, const struct inst *i, uint32_t mask,
                    struct access *b, int bytes, bool shared, bool write,
                    uintptr_t host)
{
    struct worker *k = w->worker;
    const struct run *r = k->run;
    const struct access_form *form = &i->detail->access;
    if (form->space == PTX_SPACE_CONST)
        return;
    access_init(b, w, i, form, shared ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL,
                mask);
    b->stored = host;
    if (r->traffic)
        r->traffic->access(b);
    if (r->checks & CHECK_COUNTERS) {
        if (shared)
            count_shared(&k->counters, &k->patterns[form->site], b, bytes,
                         write);
        else
            count_global(&k->counters, b, bytes, write);
    }
    if (!r->races)
        return;
    b->mask = race_lanes(b, bytes, shared, write);
    if (b->mask)
        r->races->access(b);
}

/* Moving ----------------------------------------------------------------- */

#define LOAD(T, name)                                                          \
    INLINE void name(struct warp *w, uint32_t at, uint32_t mask,               \
                     const struct access *b, uintptr_t host, int step)         \
    {                                                                          \
        T *d = slot(w, at);                                                    \
        const T *first = (const T *)(host + b->addr[0]);                       \
        if (b->uniform) {                                                      \
            T one = *first;                                                    \
            STORE_LANES(T, one)                                                \
        } else if (b->unit && step == 1) {                                     \
            EACH_LANE d[l] = first[l];                                         \
        } else {                                                               \
            T from[LANES];                                                     \
            for (int l = 0; l < LANES; l++)                                    \
                from[l] = *(const T *)(host + b->addr[l]);                     \
            STORE_LANES(T, from[l])                                            \
        }                                                                      \
    }
LOAD(uint32_t, load_32)
LOAD(uint64_t, load_64)

#define STORE(T, name)                                                         \
    INLINE void name(const struct warp *w, uint32_t at, uint32_t mask,         \
                     const struct access *b, uintptr_t host, int step)         \
    {                                                                          \
        const T *from = slot(w, at);                                           \
        T *first = (T *)(host + b->addr[0]);                                   \
        if (b->unit && step == 1) {                                            \
            EACH_LANE first[l] = from[l];                                      \
        } else if (mask == (uint32_t)FULL) {                                   \
            for (int l = 0; l < LANES; l++)                                    \
                *(T *)(host + b->addr[l]) = from[l];                           \
        } else {                                                               \
            for (uint32_t rest = mask; rest; rest &= rest - 1)                 \
                *(T *)(host + b->addr[first_lane(rest)]) =                     \
                    from[first_lane(rest)];                                    \
        }                                                                      \
    }
STORE(uint32_t, store_32)
STORE(uint64_t, store_64)

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
            bits_set_shared(bits, a, (uint64_t)bytes);
    }
}

INLINE const struct inst *load(struct warp *w, const struct inst *i,
                               uint32_t mask, int size, int n, bool shared)
{
    const struct detail *t = i->detail;
    struct window *win = &w->worker->windows[t->access.site];
    struct access b;
    int bytes = size * n;
    read_addresses(w, i, mask, bytes, &b);
    bool check = run_of(w)->checks & CHECK_MEMORY;
    if (shared)
        access_spread(&b);
    if (!find_window(w, &b, bytes, shared, win) ||
        (check && !initialised(&b, win, bytes, shared)))
        return i->detail->slow(w, i, mask);
    for (int e = 0; e < n; e++) {
        uintptr_t host = win->host + (uintptr_t)(e * size);
        if (size == 8)
            load_64(w, t->slot[e], mask, &b, host, n);
        else
            load_32(w, t->slot[e], mask, &b, host, n);
    }
    observe(w, i, mask, &b, bytes, shared, false, win->host);
    return i + 1;
}

INLINE const struct inst *store(struct warp *w, const struct inst *i,
                                uint32_t mask, int size, int n, bool shared)
{
    const struct detail *t = i->detail;
    struct window *win = &w->worker->windows[t->access.site];
    struct access b;
    int bytes = size * n;
    read_addresses(w, i, mask, bytes, &b);
    if ((shared ? w->worker->pending : run_of(w)->watch) ||
        !find_window(w, &b, bytes, shared, win))
        return i->detail->slow(w, i, mask);
    if (shared)
        access_spread(&b);
    for (int e = 0; e < n; e++) {
        uintptr_t host = win->host + (uintptr_t)(e * size);
        if (size == 8)
            store_64(w, t->slot[e], mask, &b, host, n);
        else
            store_32(w, t->slot[e], mask, &b, host, n);
    }
    mark(&b, mask, win, bytes, shared);
    observe(w, i, mask, &b, bytes, shared, true, win->host);
    return i + 1;
}

#define ACCESS(what, suffix, size, n)                                          \
    HANDLER(what##_global_##suffix)                                            \
    {                                                                          \
        return JOIN2(access, what)(w, i, mask, size, n, false);                \
    }                                                                          \
    HANDLER(what##_shared_##suffix)                                            \
    {                                                                          \
        return JOIN2(access, what)(w, i, mask, size, n, true);                 \
    }
#define access_ld load
#define access_st store
ACCESS(ld, 32, 4, 1)
ACCESS(ld, 64, 8, 1)
ACCESS(ld, v2, 4, 2)
ACCESS(ld, v4, 4, 4)
ACCESS(st, 32, 4, 1)
ACCESS(st, 64, 8, 1)
ACCESS(st, v2, 4, 2)
ACCESS(st, v4, 4, 4)
