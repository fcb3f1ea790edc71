// SPDX-License-Identifier: MIT
/*
 * lanes_memory.c: loads and stores of 4, 8 and 16 bytes a lane, in vector
 * code: global (and generic addresses that turn out global) and shared.
 *
 * An instruction remembers the array that it touched last (a window), so
 * that bounds of 32 lanes are two vector operations. Whatever is not plain,
 * an error included, goes to op_load and op_store before anything happened.
 * Lanes that take no part get the address of one that does.
 */
#include "lanes.h"
#include "simgpu/core/exec/load_store.h"
#include "simgpu/core/race/detect.h"
#include "simgpu/core/model/traffic.h"

#define INLINE static inline __attribute__((always_inline))

enum { NEAR = 512 }; /* bytes: init bits worth reading as a range */

struct batch {
    _Alignas(64) uint64_t addr[LANES];
    bool uniform, unit; /* one address; consecutive ones, all lanes active */
    uint64_t low;       /* shared only: the lowest address, and how far */
    uint32_t spread;    /* above it the highest is */
};

INLINE void read_addresses(const struct warp *w, const struct inst *i,
                           uint32_t mask, int bytes, struct batch *b)
{
    const void *base = slot(w, i->a);
    uint64_t imm = (uint64_t)i->imm;
    if (i->detail->address64)
        for (int l = 0; l < LANES; l++)
            b->addr[l] = ((const uint64_t *)base)[l] + imm;
    else
        for (int l = 0; l < LANES; l++)
            b->addr[l] = ((const uint32_t *)base)[l] + imm;
    if (mask != (uint32_t)FULL) {
        int first = first_lane(mask), last = 31 - __builtin_clz(mask);
        uint64_t low = b->addr[first], high = b->addr[last];
        for (int l = 0; l < LANES; l++) {
            uint64_t idle = l < first ? low : high;
            b->addr[l] = mask >> l & 1 ? b->addr[l] : idle;
        }
    }
    uint64_t same = 0, next = 0, a0 = b->addr[0];
    for (int l = 0; l < LANES; l++) {
        same |= b->addr[l] ^ a0;
        next |= (b->addr[l] - a0) ^ (uint64_t)(l * bytes);
    }
    b->uniform = same == 0;
    b->unit = next == 0 && mask == (uint32_t)FULL;
}

/* All lanes aligned, and within the window. */
INLINE bool inside(const struct batch *b, const struct window *win, int bytes)
{
    uint64_t limit = win->hi - win->lo - (uint64_t)bytes, out = 0, low = 0;
    for (int l = 0; l < LANES; l++) {
        uint64_t offset = b->addr[l] - win->lo;
        out |= offset | (limit - offset); /* below zero: the top bit */
        low |= b->addr[l];
    }
    return (int64_t)(out | limit) >= 0 && !(low & (uint64_t)(bytes - 1));
}

INLINE bool find_window(struct warp *w, const struct batch *b, int bytes,
                        bool shared, struct window *win)
{
    if (inside(b, win, bytes))
        return true;
    bool known = shared ? window_shared(w, b->addr[0], win)
                        : window_global(w, b->addr[0], win);
    return known && inside(b, win, bytes);
}

/* Shared addresses are small: 32 bits hold their differences. */
INLINE void find_spread(struct batch *b)
{
    int32_t low = 0, high = 0;
    for (int l = 0; l < LANES; l++) {
        int32_t d = (int32_t)(uint32_t)(b->addr[l] - b->addr[0]);
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    b->low = b->addr[0] + (uint64_t)(int64_t)low;
    b->spread = (uint32_t)(high - low);
}

INLINE bool range_is(const uint8_t *bits, size_t n)
{
    uint64_t all = UINT64_MAX;
    for (size_t k = 0; k < n; k += 8) {
        uint64_t word;
        __builtin_memcpy(&word, bits + k, 8);
        all &= word;
    }
    return all == UINT64_MAX;
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

/* All bits of the few bytes that a shared access lies in. */
INLINE bool near_initialised(const struct batch *b, const struct window *win)
{
    uint64_t bits = UINT64_MAX;
    const uint8_t *p = (const uint8_t *)(win->init + (b->low >> 3));
    if (b->spread >= NEAR)
        return false;
    for (uint32_t k = 0; k < (b->spread + 23) / 64 + 1; k++) {
        uint64_t word;
        __builtin_memcpy(&word, p + 8 * k, 8);
        bits &= word;
    }
    return bits == UINT64_MAX;
}

INLINE bool initialised(const struct batch *b, const struct window *win,
                        int bytes, bool shared)
{
    if (b->uniform)
        return lane_bits(win->init, b->addr[0], bytes) == ones(bytes);
    if (b->unit && !(b->addr[0] & 7))
        return range_is((const uint8_t *)(win->init + (b->addr[0] >> 3)),
                        (size_t)(LANES * bytes / 8));
    if (shared && near_initialised(b, win))
        return true;
    uint32_t all = ones(bytes);
    for (int l = 0; l < LANES; l++)
        all &= lane_bits(win->init, b->addr[l], bytes);
    return all == ones(bytes);
}

/* Counting --------------------------------------------------------------- */

INLINE uint32_t sectors(const struct batch *b, uint32_t mask, int bytes)
{
    uint64_t first = b->addr[0] >> 5;
    if (b->uniform)
        return 1;
    if (b->unit)
        return (uint32_t)(((b->addr[0] + (uint64_t)(LANES * bytes) - 1) >> 5) -
                          first) + 1;
    uint64_t up = 0, down = 0, changes = 0;
    for (int l = 1; l < LANES; l++) {
        uint64_t d = (b->addr[l] >> 5) - (b->addr[l - 1] >> 5);
        up |= d;
        down |= -d;
        changes += d != 0;
    }
    if ((int64_t)up >= 0 || (int64_t)down >= 0)
        return (uint32_t)changes + 1;
    return access_sectors(b->addr, mask);
}

INLINE void count_global(struct worker *k, const struct batch *b,
                         uint32_t mask, int bytes, bool write)
{
    struct engine_counters *c = &k->counters;
    uint64_t asked = (uint64_t)__builtin_popcount(mask) * (uint64_t)bytes;
    uint32_t n = sectors(b, mask, bytes);
    if (write) {
        c->global_store_requests++;
        c->global_store_sectors += n;
        c->global_store_bytes += asked;
    } else {
        c->global_load_requests++;
        c->global_load_sectors += n;
        c->global_load_bytes += asked;
    }
}

/* No bank is asked for two words: one wavefront a pass. */
INLINE bool no_conflict(const struct batch *b)
{
    uint32_t word[LANES], clash = 0, banks = 0;
    if (b->spread < LANES * 4)
        return true;
    for (int l = 0; l < LANES; l++)
        banks |= 1u << (b->addr[l] >> 2 & (LANES - 1));
    if (banks == (uint32_t)FULL)
        return true;
    __builtin_memset(word, 0xff, sizeof word);
    for (int l = 0; l < LANES; l++) {
        uint32_t a = (uint32_t)(b->addr[l] >> 2), old = word[a % LANES];
        clash |= (old + 1) && old != a;
        word[a % LANES] = a;
    }
    return !clash;
}

/* Banks go round, so that the distances between addresses are all that
 * counts: p remembers the last ones. */
INLINE struct wavefronts wavefronts(struct pattern *p, const struct batch *b,
                                    uint32_t mask, int bytes, bool write)
{
    uint32_t words = (uint32_t)bytes / 4;
    if (b->unit || (bytes == 4 && (b->uniform || no_conflict(b))))
        return (struct wavefronts){words, 0};
    if (b->uniform && mask == (uint32_t)FULL)
        return (struct wavefronts){write ? words : words / 2, 0};
    uint32_t differ = p->mask ^ mask;
    for (int l = 0; l < LANES; l++)
        differ |= p->offset[l] ^ (uint32_t)(b->addr[l] - b->addr[0]);
    if (differ) {
        p->mask = mask;
        for (int l = 0; l < LANES; l++)
            p->offset[l] = (uint32_t)(b->addr[l] - b->addr[0]);
        p->cost = access_wavefronts(b->addr, mask, (uint32_t)bytes, !write);
    }
    return p->cost;
}

INLINE void count_shared(struct worker *k, const struct inst *i,
                         const struct batch *b, uint32_t mask, int bytes,
                         bool write)
{
    struct engine_counters *c = &k->counters;
    struct wavefronts n = wavefronts(&k->patterns[i->detail->cache], b, mask,
                                     bytes, write);
    if (write) {
        c->shared_store_requests++;
        c->shared_store_wavefronts += n.wavefronts;
        c->shared_store_conflicts += n.conflicts;
    } else {
        c->shared_load_requests++;
        c->shared_load_wavefronts += n.wavefronts;
        c->shared_load_conflicts += n.conflicts;
    }
}

#include "simgpu/core/race/race_lanes.h"

INLINE void observe(struct warp *w, const struct inst *i, uint32_t mask,
                    const struct batch *b, int bytes, bool shared, bool write,
                    uintptr_t host)
{
    struct worker *k = w->worker;
    bool constant = i->detail->space == PTX_SPACE_CONST;
    if (k->tap && !constant)
        tap_access(k, i->detail,
                   shared ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL, mask,
                   b->addr);
    if (k->run->checks & CHECK_COUNTERS) {
        if (shared)
            count_shared(k, i, b, mask, bytes, write);
        else if (!constant)
            count_global(k, b, mask, bytes, write);
    }
    uint32_t left = k->race && !constant
                        ? race_lanes(w, i, mask, b, bytes, shared, write, host)
                        : 0;
    if (left)
        race_access(w, i, left, b->addr, shared);
}

/* Moving ----------------------------------------------------------------- */

#define LOAD(T, name)                                                          \
    INLINE void name(struct warp *w, uint32_t at, uint32_t mask,               \
                     const struct batch *b, uintptr_t host, int step)          \
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
                     const struct batch *b, uintptr_t host, int step)          \
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

INLINE void mark(const struct batch *b, uint32_t mask,
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
    struct window *win = &w->worker->windows[t->cache];
    struct batch b;
    int bytes = size * n;
    read_addresses(w, i, mask, bytes, &b);
    bool check = run_of(w)->checks & CHECK_MEMORY;
    if (shared)
        find_spread(&b);
    if (!find_window(w, &b, bytes, shared, win) ||
        (check && !initialised(&b, win, bytes, shared)))
        return op_load(w, i, mask);
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
    struct window *win = &w->worker->windows[t->cache];
    struct batch b;
    int bytes = size * n;
    read_addresses(w, i, mask, bytes, &b);
    if ((shared ? w->worker->pending : run_of(w)->watch) ||
        !find_window(w, &b, bytes, shared, win))
        return op_store(w, i, mask);
    if (shared)
        find_spread(&b);
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
