// SPDX-License-Identifier: MIT
/*
 * lanes_copy.c: cp.async of a whole warp that copies 4 or 16 bytes per lane, in
 * vector code. Whatever is not plain goes to detail->slow (exec/async.c, which
 * explains it) before anything happened.
 */
#include "lanes_access.h"
#include "simgpu/core/access/transfer.h"

/* Do all lanes copy as many bytes as they write? */
INLINE bool is_whole(const struct warp *w, const struct inst *i, int bytes)
{
    const uint32_t *size = slot(w, i->c);
    uint32_t differ = 0;
    for (int l = 0; l < LANES && i->p1 == COPY_SIZED; l++)
        differ |= size[l] ^ (uint32_t)bytes;
    return i->p1 != COPY_IGNORED && !differ;
}

INLINE void read_sources(const struct warp *w, const struct inst *i, int bytes,
                         struct access *from)
{
    const void *base = slot(w, i->b);
    if (i->p0)
        for (int l = 0; l < LANES; l++)
            from->addr[l] = ((const uint64_t *)base)[l] + i->bits;
    else
        for (int l = 0; l < LANES; l++)
            from->addr[l] = ((const uint32_t *)base)[l] + i->bits;
    access_shape(from, (uint32_t)FULL, bytes);
}

INLINE void take(struct transfer *t, const struct access *from, uintptr_t host,
                 int bytes)
{
    if (from->unit) {
        __builtin_memcpy(t->data, (const void *)(host + from->addr[0]),
                         (size_t)(LANES * bytes));
        return;
    }
    for (int l = 0; l < LANES; l++)
        __builtin_memcpy(t->data + l * bytes,
                         (const void *)(host + from->addr[l]), (size_t)bytes);
}

INLINE const struct inst *copy(struct warp *w, const struct inst *i,
                               uint32_t mask, int bytes)
{
    const struct detail *d = i->detail;
    struct window *there = &w->worker->windows[d->access.site];
    struct window *here = &w->worker->windows[d->from->site];
    struct access to, from;
    if (mask != (uint32_t)FULL || !is_whole(w, i, bytes))
        return d->slow(w, i, mask);
    read_addresses(w, i, mask, bytes, &to);
    access_spread(&to);
    read_sources(w, i, bytes, &from);
    if (!find_window(w, &to, bytes, true, there) ||
        !find_window(w, &from, bytes, false, here) ||
        (run_of(w)->checks & CHECK_MEMORY &&
         !initialised(&from, here, bytes, false)))
        return d->slow(w, i, mask);
    access_init(&to, w, i, &d->access, PTX_SPACE_SHARED, mask);
    access_init(&from, w, i, d->from, PTX_SPACE_GLOBAL, mask);
    to.part = PART_ISSUED;
    access_raise(&to);
    struct transfer *t = transfer_new(w, i);
    __builtin_memset(t->brings, bytes, LANES);
    take(t, &from, here->host, bytes);
    transfer_groups(t, w->groups);
    transfer_begin(&to, t);
    transfer_reads(&from, t);
    return i + 1;
}

/* A page of the book has no room for it. */
#ifdef __wasm__
enum { QUICK = false };
#else
enum { QUICK = true };
#endif

HANDLER(async_copy)
{
    switch (QUICK ? i->detail->from->size : 0) {
    case 4: return copy(w, i, mask, 4);
    case 16: return copy(w, i, mask, 16);
    default: return i->detail->slow(w, i, mask);
    }
}
