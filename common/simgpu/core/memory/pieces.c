// SPDX-License-Identifier: MIT
/*
 * pieces.c: the device heap's memory. Interface: pieces.h.
 *
 * Addresses are taken upwards only, and there are many more than the heap has
 * bytes (of a very large heap, no more). They begin again at a launch when
 * everything was freed and few are left. So what one block freed never becomes
 * that of another within a launch: the race detector need not know of it. And
 * who uses it later, perhaps in another launch, is told who freed it. A kernel
 * that uses up all addresses gets null.
 *
 * The hard idea: a gap follows each piece, so that an index past its end meets
 * no neighbour. Gaps count against the heap's size, as a GPU's own records of
 * each piece do.
 */
#include "pieces.h"

#include <stdio.h>
#include <stdlib.h>

#include "simgpu/host/threads.h"

enum {
    HEAP_ALIGN = 16,
    HEAP_GAP = HEAP_ALIGN,
    AHEAD = 64,      /* times its size that a heap has addresses for, */
    MOST_SHARE = 16, /* at most this part of the memory's */
};

struct pieces {            /* in address order */
    struct piece *list;
    size_t n, room;
};

struct heap {
    struct lock *lock;
    uint64_t base, bytes, span; /* span: of addresses */
    uint64_t next;            /* offset of what was never given */
    uint64_t used;            /* bytes of live pieces, gaps included */
    struct pieces now, old;   /* old: since the addresses' last beginning but
                                 one; what lies below next is gone */
    size_t live;
};

static uint64_t addresses_for(const struct memory *m, uint64_t bytes)
{
    uint64_t most = m->reserved / MOST_SHARE;
    return bytes > most          ? bytes
           : bytes > most / AHEAD ? most
                                  : AHEAD * bytes;
}

struct heap *heap_new(struct memory *m, uint64_t bytes)
{
    struct heap *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->bytes = bytes;
    h->span = addresses_for(m, bytes);
    h->base = memory_alloc(m, (size_t)h->span, true);
    if (!h->base) {
        free(h);
        return NULL;
    }
    h->lock = lock_new();
    return h;
}

void heap_delete(struct memory *m, struct heap *h)
{
    if (!h)
        return;
    memory_drop(m, h->base);
    lock_free(h->lock);
    free(h->now.list);
    free(h->old.list);
    free(h);
}

bool heap_in_use(const struct heap *h)
{
    return h && h->live > 0;
}

void heap_begin(struct heap *h)
{
    if (!h || h->live)
        return;
    if (h->span - h->next < h->bytes) {
        struct pieces older = h->old;
        h->old = h->now;
        h->now = older;
        h->now.n = h->next = 0;
    }
}

void heap_forget(struct heap *h)
{
    for (size_t k = 0; h && k < h->now.n; k++)
        h->now.list[k].file = NULL;
    for (size_t k = 0; h && k < h->old.n; k++)
        h->old.list[k].file = NULL;
}

static bool remember(struct heap *h, uint64_t address, uint64_t bytes)
{
    struct pieces *all = &h->now;
    if (all->n == all->room) {
        size_t room = all->room ? 2 * all->room : 64;
        struct piece *list = realloc(all->list, room * sizeof *list);
        if (!list)
            return false;
        all->list = list;
        all->room = room;
    }
    all->list[all->n++] = (struct piece){
        .address = address, .bytes = bytes, .live = true};
    h->live++;
    return true;
}

/* With the gap behind it. */
static uint64_t span_of(uint64_t bytes)
{
    return (bytes + HEAP_GAP + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
}

uint64_t heap_take(struct memory *m, struct heap *h, uint64_t bytes)
{
    uint64_t span = span_of(bytes), address = 0;
    lock_take(h->lock);
    if (bytes > 0 && bytes <= h->bytes && span <= h->bytes - h->used &&
        span <= h->span - h->next &&
        remember(h, h->base + h->next, bytes)) {
        address = h->base + h->next;
        h->next += span;
        h->used += span;
        bits_clear(m->init, address - DEVICE_BASE, span);
    }
    lock_leave(h->lock);
    return address;
}

/* Index of the first piece that begins after the address. */
static size_t after(const struct pieces *all, uint64_t address)
{
    size_t lo = 0, hi = all->n;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (all->list[middle].address <= address)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

bool heap_release(struct heap *h, uint64_t address, const char *file,
                  int line, struct piece *piece)
{
    lock_take(h->lock);
    size_t at = after(&h->now, address);
    struct piece *p = at ? &h->now.list[at - 1] : NULL;
    bool known = p && p->address == address, good = known && p->live;
    if (good) {
        p->live = false;
        p->file = file;
        p->line = line;
        h->live--;
        h->used -= span_of(p->bytes);
    }
    if (known)
        *piece = *p;
    lock_leave(h->lock);
    return good;
}

/* Of two neighbours, the one that the address is in or next to. */
static struct piece nearest(const struct heap *h, uint64_t address)
{
    const struct pieces *all =
        address - h->base >= h->next && h->old.n ? &h->old : &h->now;
    size_t at = after(all, address);
    if (at == 0)
        return all->n ? all->list[0] : (struct piece){.address = h->base};
    struct piece below = all->list[at - 1];
    uint64_t past = address - (below.address + below.bytes);
    if (address - below.address < below.bytes || at == all->n ||
        past < all->list[at].address - address)
        return below;
    return all->list[at];
}

void heap_freed_at(const struct piece *p, const char *before, char *text,
                   size_t size)
{
    if (!p->live && p->file)
        snprintf(text, size, "%sfreed at %s:%d", before, p->file, p->line);
}

bool heap_find(const struct heap *h, uint64_t address, struct piece *found)
{
    if (!h || address - h->base >= h->span)
        return false;
    lock_take(h->lock);
    *found = nearest(h, address);
    lock_leave(h->lock);
    return true;
}
