// SPDX-License-Identifier: MIT
/*
 * heap.c: malloc and free in kernels.
 *
 *   heap_open     makes room for it; heap_launch: a launch begins
 *   engine_heap   how much room
 *   call_malloc, call_free
 *
 * A full heap gives null. memory/pieces.c keeps what was given. To race
 * detection, free is a write to all of its block.
 */
#include "heap.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/memory/pieces.h"
#include "simgpu/core/state/finding.h"

enum { HEAP_BYTES = 8 << 20 }; /* unless the program asks for another size */

bool heap_open(struct engine *e)
{
    if (!e->heap)
        e->heap = heap_new(&e->memory, e->heap_bytes ? e->heap_bytes
                                                     : HEAP_BYTES);
    return e->heap;
}

bool engine_heap(struct engine *e, size_t bytes)
{
    if (heap_in_use(e->heap))
        return false;
    e->heap_bytes = bytes;
    if (!e->heap)
        return true;
    heap_close(e);
    return heap_open(e);
}

void heap_close(struct engine *e)
{
    heap_delete(&e->memory, e->heap);
    e->heap = NULL;
}

void heap_launch(struct engine *e)
{
    heap_begin(e->heap);
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
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        *parameter(w, l, c->result[0]) =
            heap_take(&e->memory, e->heap, *parameter(w, l, c->arg[0]));
    }
}

/* Whole words, which nobody else has a part of. */
static void note_free(struct warp *w, const struct inst *i, int lane,
                      const struct piece *p)
{
    struct access a = {.form = &i->detail->access, .space = PTX_SPACE_GLOBAL,
                       .warp = w, .inst = i, .mask = 1u << lane,
                       .bytes = (uint32_t)((p->bytes + 3) / 4 * 4)};
    for (int l = 0; l < LANES; l++)
        a.addr[l] = p->address;
    access_raise_races(run_of(w), &a);
}

bool call_free(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct call_info *c = i->detail->call;
    const struct source *by = finding_source(w->leaf->frame->function, i);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t address = *parameter(w, l, c->arg[0]);
        struct piece p = {0};
        if (!address)
            continue;
        if (heap_release(run_of(w)->engine->heap, address, by->file, by->line,
                         &p)) {
            note_free(w, i, l, &p);
            continue;
        }
        struct finding x = {.address = address};
        int n = snprintf(x.detail, sizeof x.detail, "free of 0x%llx, which "
                         "malloc did not give, or which is free",
                         (unsigned long long)address);
        heap_freed_at(&p, ": ", x.detail + n, sizeof x.detail - (size_t)n);
        finding_add(w, i, l, FIND_TRAP, &x);
        fault_raise(w, FAULT_TRAP);
        return false;
    }
    return true;
}
