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
#include "lanes_access.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/state/finding.h"

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

/* Vectors of four words, as four lanes hold them and as four registers do. */
typedef uint32_t quad __attribute__((vector_size(16)));
#define INTERLEAVE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

INLINE void transpose(quad q[4])
{
    quad low01 = INTERLEAVE(q[0], q[1], 0, 4, 1, 5);
    quad low23 = INTERLEAVE(q[2], q[3], 0, 4, 1, 5);
    quad high01 = INTERLEAVE(q[0], q[1], 2, 6, 3, 7);
    quad high23 = INTERLEAVE(q[2], q[3], 2, 6, 3, 7);
    q[0] = INTERLEAVE(low01, low23, 0, 1, 4, 5);
    q[1] = INTERLEAVE(low01, low23, 2, 3, 6, 7);
    q[2] = INTERLEAVE(high01, high23, 0, 1, 4, 5);
    q[3] = INTERLEAVE(high01, high23, 2, 3, 6, 7);
}

INLINE void load_quads(struct warp *w, const uint32_t at[4], uint32_t mask,
                       const struct access *b, uintptr_t host)
{
    uint32_t words[4][LANES];
    for (int l = 0; l < LANES; l += 4) {
        quad q[4];
        for (int k = 0; k < 4; k++)
            __builtin_memcpy(&q[k], (const void *)(host + b->addr[l + k]), 16);
        transpose(q);
        for (int e = 0; e < 4; e++)
            __builtin_memcpy(&words[e][l], &q[e], 16);
    }
    for (int e = 0; e < 4; e++) {
        uint32_t *d = slot(w, at[e]);
        STORE_LANES(uint32_t, words[e][l])
    }
}

/* Of lanes that all take part. */
INLINE void store_quads(const struct warp *w, const uint32_t at[4],
                        const struct access *b, uintptr_t host)
{
    for (int l = 0; l < LANES; l += 4) {
        quad q[4];
        for (int e = 0; e < 4; e++)
            __builtin_memcpy(&q[e], (const uint32_t *)slot(w, at[e]) + l, 16);
        transpose(q);
        for (int k = 0; k < 4; k++)
            __builtin_memcpy((void *)(host + b->addr[l + k]), &q[k], 16);
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
        (check && !initialised(&b, win, bytes, shared) &&
         !(COUNTS_QUICKLY && size == 4 && n == 1 &&
           values_unset_again(w, i, mask, b.addr, win))))
        return i->detail->slow(w, i, mask);
    bool quads = size == 4 && n == 4 && !b.uniform;
    if (quads)
        load_quads(w, t->slot, mask, &b, win->host);
    for (int e = 0; e < n && !quads; e++) {
        uintptr_t host = win->host + (uintptr_t)(e * size);
        if (size == 8)
            load_64(w, t->slot[e], mask, &b, host, n);
        else
            load_32(w, t->slot[e], mask, &b, host, n);
    }
    observe(w, i, mask, &b, bytes, shared, false, win);
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
    bool quads = size == 4 && n == 4 && mask == (uint32_t)FULL;
    if (quads)
        store_quads(w, t->slot, &b, win->host);
    for (int e = 0; e < n && !quads; e++) {
        uintptr_t host = win->host + (uintptr_t)(e * size);
        if (size == 8)
            store_64(w, t->slot[e], mask, &b, host, n);
        else
            store_32(w, t->slot[e], mask, &b, host, n);
    }
    mark(&b, mask, win, bytes, shared);
    observe(w, i, mask, &b, bytes, shared, true, win);
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
