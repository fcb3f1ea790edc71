// SPDX-License-Identifier: MIT
/*
 * pieces.c: the device heap's memory. Interface: pieces.h.
 *
 * Memory is taken upwards only, and begins anew at a launch when everything
 * was freed: what one block freed never becomes another's within a launch, so
 * that the race detector need not know of it.
 *
 * The hard idea: a gap follows each piece, so that an index past its end meets
 * no neighbour. Gaps count against the heap's size, as a GPU's own records of
 * each piece do.
 */
#include "pieces.h"

#include <stdlib.h>

#include "simgpu/host/threads.h"

enum {
    HEAP_ALIGN = 16,
    HEAP_GAP = HEAP_ALIGN,
};

struct heap {
    struct lock *lock;
    uint64_t base, bytes;
    uint64_t next;            /* offset of what is free */
    struct piece *pieces;     /* in address order */
    size_t n, room, live;
};

struct heap *heap_new(struct memory *m, uint64_t bytes)
{
    struct heap *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->bytes = bytes;
    h->base = memory_alloc(m, (size_t)bytes, true);
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
    free(h->pieces);
    free(h);
}

bool heap_in_use(const struct heap *h)
{
    return h && h->live > 0;
}

void heap_begin(struct heap *h)
{
    if (h && h->live == 0)
        h->next = h->n = 0;
}

static bool remember(struct heap *h, uint64_t address, uint64_t bytes)
{
    if (h->n == h->room) {
        size_t room = h->room ? 2 * h->room : 64;
        struct piece *pieces = realloc(h->pieces, room * sizeof *pieces);
        if (!pieces)
            return false;
        h->pieces = pieces;
        h->room = room;
    }
    h->pieces[h->n++] = (struct piece){address, bytes, true};
    h->live++;
    return true;
}

uint64_t heap_take(struct memory *m, struct heap *h, uint64_t bytes)
{
    uint64_t span = (bytes + HEAP_GAP + HEAP_ALIGN - 1) / HEAP_ALIGN *
                    HEAP_ALIGN;
    uint64_t address = 0;
    lock_take(h->lock);
    if (bytes > 0 && bytes <= h->bytes && span <= h->bytes - h->next &&
        remember(h, h->base + h->next, bytes)) {
        address = h->base + h->next;
        h->next += span;
        bits_clear(m->init, address - DEVICE_BASE, span);
    }
    lock_leave(h->lock);
    return address;
}

/* Index of the first piece that begins after the address. */
static size_t after(const struct heap *h, uint64_t address)
{
    size_t lo = 0, hi = h->n;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (h->pieces[middle].address <= address)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

bool heap_release(struct heap *h, uint64_t address)
{
    lock_take(h->lock);
    size_t at = after(h, address);
    struct piece *p = at ? &h->pieces[at - 1] : NULL;
    bool good = p && p->address == address && p->live;
    if (good) {
        p->live = false;
        h->live--;
    }
    lock_leave(h->lock);
    return good;
}

/* Of two neighbours, the one that the address is in or next to. */
static struct piece nearest(const struct heap *h, uint64_t address)
{
    size_t at = after(h, address);
    if (at == 0)
        return h->n ? h->pieces[0] : (struct piece){h->base, 0, false};
    struct piece below = h->pieces[at - 1];
    uint64_t past = address - (below.address + below.bytes);
    if (address - below.address < below.bytes || at == h->n ||
        past < h->pieces[at].address - address)
        return below;
    return h->pieces[at];
}

bool heap_find(const struct heap *h, uint64_t address, struct piece *found)
{
    if (!h || address - h->base >= h->bytes)
        return false;
    lock_take(h->lock);
    *found = nearest(h, address);
    lock_leave(h->lock);
    return true;
}
