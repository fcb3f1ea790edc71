// SPDX-License-Identifier: MIT
/*
 * heap.c: malloc and free in kernels.
 *
 *   heap_open     makes room for it; heap_launch: a launch begins
 *   engine_heap   how much room
 *   call_malloc, call_free
 *
 * Memory is taken upwards only, and begins anew at a launch when everything
 * was freed: what one block freed never becomes another's within a launch, so
 * that the race detector need not know of it. A full heap gives null.
 */
#include "heap.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"

#include <stdlib.h>

enum {
    HEAP_BYTES = 8 << 20, /* unless the program asks for another size */
    HEAP_ALIGN = 16,
};

struct piece {
    uint64_t address;
    uint64_t bytes;
    bool live;
};

struct heap {
    struct lock *lock;
    uint64_t base, used, bytes;
    struct piece *pieces; /* in address order */
    size_t n, room, live;
};

bool heap_open(struct engine *e)
{
    if (e->heap)
        return true;
    struct heap *h = calloc(1, sizeof *h);
    if (!h)
        return false;
    h->lock = lock_new();
    h->bytes = e->heap_bytes ? e->heap_bytes : HEAP_BYTES;
    h->base = memory_alloc(&e->memory, h->bytes, true);
    e->heap = h;
    return h->base != 0;
}

bool engine_heap(struct engine *e, size_t bytes)
{
    struct heap *h = e->heap;
    if (h && h->live)
        return false;
    e->heap_bytes = bytes;
    if (!h || h->bytes == bytes)
        return true;
    memory_drop(&e->memory, h->base);
    h->bytes = bytes;
    h->base = memory_alloc(&e->memory, bytes, true);
    return h->base != 0;
}

void heap_close(struct engine *e)
{
    if (!e->heap)
        return;
    lock_free(e->heap->lock);
    free(e->heap->pieces);
    free(e->heap);
    e->heap = NULL;
}

void heap_launch(struct engine *e)
{
    struct heap *h = e->heap;
    if (h && h->live == 0)
        h->used = h->n = 0;
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

static uint64_t take(struct engine *e, uint64_t bytes)
{
    struct heap *h = e->heap;
    uint64_t span = (bytes + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
    if (bytes == 0 || bytes > h->bytes || span > h->bytes - h->used ||
        !remember(h, h->base + h->used, bytes))
        return 0;
    uint64_t address = h->base + h->used;
    h->used += span;
    bits_clear(e->memory.init, address - DEVICE_BASE, span);
    return address;
}

static bool give_back(struct engine *e, uint64_t address)
{
    struct heap *h = e->heap;
    size_t lo = 0, hi = h->n;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (h->pieces[middle].address < address)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == h->n || h->pieces[lo].address != address || !h->pieces[lo].live)
        return false;
    h->pieces[lo].live = false;
    h->live--;
    return true;
}

/* A lane's 8 bytes of the caller's parameters. */
static uint64_t *parameter(struct warp *w, int lane, uint32_t offset)
{
    const struct frame *f = w->leaf->frame;
    return (uint64_t *)(f->params + (size_t)lane * f->function->param_bytes +
                        offset);
}

void call_malloc(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct call_info *c = i->detail->call;
    struct engine *e = run_of(w)->engine;
    lock_take(e->heap->lock);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        *parameter(w, l, c->result[0]) =
            take(e, *parameter(w, l, c->arg[0]));
    }
    lock_leave(e->heap->lock);
}

bool call_free(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct call_info *c = i->detail->call;
    struct engine *e = run_of(w)->engine;
    bool good = true;
    for (uint32_t rest = mask; rest && good; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t address = *parameter(w, l, c->arg[0]);
        lock_take(e->heap->lock);
        good = !address || give_back(e, address);
        lock_leave(e->heap->lock);
        if (good)
            continue;
        struct finding x = {.address = address};
        snprintf(x.detail, sizeof x.detail, "free of 0x%llx, which malloc did "
                 "not give, or which is free", (unsigned long long)address);
        finding_add(w, i, l, FIND_TRAP, &x);
        fault_raise(w, FAULT_TRAP);
    }
    return good;
}
