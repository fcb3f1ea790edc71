// SPDX-License-Identifier: MIT
/*
 * pieces.c: the device heap's memory. Interface: pieces.h.
 *
 * Memory is taken upwards only. At a launch when everything was freed, the
 * heap's bytes count anew, from where the last launch left off: addresses have
 * room for twice as many bytes (of a very large heap, for no more), and begin
 * again when that is not enough. So what one block freed never becomes that of
 * another within a launch: the race detector need not know of it. And who uses
 * it in a later launch is told who freed it.
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
    TWICE_MOST = 64 << 20, /* bytes of a heap that has addresses twice */
};

struct pieces {            /* in address order */
    struct piece *list;
    size_t n, room;
};

struct heap {
    struct lock *lock;
    uint64_t base, bytes, span; /* span: of addresses */
    uint64_t start, next;     /* offsets: of what counts, of what is free */
    struct pieces now, old;   /* old: since the addresses' last beginning but
                                 one; what lies below next is gone */
    size_t live;
};

struct heap *heap_new(struct memory *m, uint64_t bytes)
{
    struct heap *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->bytes = bytes;
    h->span = bytes <= TWICE_MOST ? 2 * bytes : bytes;
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
    h->start = h->next;
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

uint64_t heap_take(struct memory *m, struct heap *h, uint64_t bytes)
{
    uint64_t span = (bytes + HEAP_GAP + HEAP_ALIGN - 1) / HEAP_ALIGN *
                    HEAP_ALIGN;
    uint64_t address = 0;
    lock_take(h->lock);
    if (bytes > 0 && bytes <= h->bytes &&
        span <= h->start + h->bytes - h->next &&
        remember(h, h->base + h->next, bytes)) {
        address = h->base + h->next;
        h->next += span;
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
