// SPDX-License-Identifier: MIT
/*
 * place.c: from an address as the program sees it to bytes of this process,
 * with exact bounds; and what to say when there are none.
 *
 *   place_of, place_part, window_shared, window_global
 *   find_uninitialised, find_copy
 */
#include "place.h"
#include "simgpu/core/exec/async.h"
#include "simgpu/core/state/finding.h"

static const struct variable *variable_at(const struct kernel *k, uint64_t a,
                                        uint64_t dynamic_end, uint64_t *bytes)
{
    for (size_t n = 0; n < k->n_shared; n++) {
        const struct variable *v = &k->shared[n];
        *bytes = v->dynamic ? dynamic_end - v->address : v->bytes;
        if (a - v->address < *bytes)
            return v;
    }
    return NULL;
}

static uint64_t dynamic_end(const struct warp *w)
{
    return run_of(w)->shared_end;
}

bool window_shared(struct warp *w, uint64_t address, struct window *out)
{
    uint64_t bytes;
    const struct variable *v =
        variable_at(run_of(w)->kernel, address, dynamic_end(w), &bytes);
    if (!v)
        return false;
    out->lo = v->address;
    out->hi = v->address + bytes;
    out->host = (uintptr_t)w->worker->shared;
    out->init = (uintptr_t)w->worker->shared_init;
    return true;
}

bool window_global(struct warp *w, uint64_t address, struct window *out)
{
    const struct memory *m = &run_of(w)->engine->memory;
    const struct allocation *a = memory_find(m, address);
    if (!a || !a->live)
        return false;
    memory_window(m, a, out);
    return true;
}

void about_global(const struct engine *engine, uint64_t address,
                  struct finding *x)
{
    const struct memory *m = &engine->memory;
    const struct allocation *a = memory_near(m, address);
    if (!a)
        return;
    x->allocation = a->id;
    x->offset = (int64_t)(address - a->address);
    x->array_bytes = a->bytes;
    for (const struct module *mod = engine->modules; mod; mod = mod->next)
        for (size_t v = 0; a->module && v < mod->n_variables; v++)
            if (mod->variables[v].address == a->address)
                x->array = mod->variables[v].name;
}

static uint64_t distance(uint64_t a, uint64_t lo, uint64_t hi)
{
    return a < lo ? lo - a : a >= hi ? a - hi + 1 : 0;
}

static void about_shared(struct warp *w, uint64_t address, struct finding *x)
{
    const struct kernel *k = run_of(w)->kernel;
    uint64_t best = UINT64_MAX;
    for (size_t n = 0; n < k->n_shared; n++) {
        const struct variable *v = &k->shared[n];
        uint64_t bytes =
            v->dynamic ? dynamic_end(w) - v->address : v->bytes;
        uint64_t d = distance(address, v->address, v->address + bytes);
        if (d >= best)
            continue;
        best = d;
        x->array = v->name;
        x->offset = (int64_t)(address - v->address);
        x->array_bytes = bytes;
    }
}

static void about_local(struct warp *w, uint64_t address, struct finding *x)
{
    const struct frame *frame = w->leaf->frame;
    const struct function *f = frame->function;
    const struct module *m = f->module;
    uint64_t best = UINT64_MAX;
    for (size_t n = 0; n < m->n_variables; n++) {
        const struct variable *v = &m->variables[n];
        if (v->space != PTX_SPACE_LOCAL || v->func < 0 ||
            &m->functions[v->func] != f)
            continue;
        uint64_t lo = frame->local_base + v->address;
        uint64_t d = distance(address, lo, lo + v->bytes);
        if (d >= best)
            continue;
        best = d;
        x->array = v->name;
        x->offset = (int64_t)(address - lo);
        x->array_bytes = v->bytes;
    }
}

static void about(struct warp *w, uint8_t space, uint64_t address,
                  struct finding *x)
{
    if (space == PTX_SPACE_SHARED)
        about_shared(w, address, x);
    else if (space == PTX_SPACE_LOCAL)
        about_local(w, address, x);
    else
        about_global(run_of(w)->engine, address, x);
}

static bool refuse(struct warp *w, const struct inst *i, int lane,
                   enum finding_kind kind, uint8_t space, uint64_t address,
                   uint32_t bytes)
{
    struct finding x = {.space = space, .address = address, .bytes = bytes};
    about(w, space, address, &x);
    finding_add(w, i, lane, kind, &x);
    raise_fault(w, kind == FIND_MISALIGNED ? FAULT_MISALIGNED : FAULT_ADDRESS);
    return false;
}

bool find_copy(struct warp *w, const struct inst *i, int lane,
               uint64_t address, uint32_t bytes)
{
    struct finding x = {.space = PTX_SPACE_SHARED, .address = address,
                        .bytes = bytes};
    uint32_t thread;
    const struct copy *c = copy_at(w->block, address, bytes, &thread);
    if (!c)
        return false;
    const struct source *s = source_of(c->function, c->at);
    about_shared(w, address, &x);
    x.other = (struct site){.file = s->file, .line = s->line, .write = true};
    thread_of(&w->block->warps[thread / LANES], (int)(thread % LANES),
              x.other.thread);
    snprintf(x.detail, sizeof x.detail,
             "its asynchronous copy was never waited for");
    finding_add(w, i, lane, FIND_RACE, &x);
    return true;
}

void find_uninitialised(struct warp *w, const struct inst *i, int lane,
                        uint64_t address)
{
    const struct detail *t = i->detail;
    struct finding x = {.space = t->space, .address = address,
                        .bytes = (uint32_t)t->size * t->n};
    uint8_t space = t->space;
    if (space == PTX_SPACE_GENERIC && address - SHARED_WINDOW < WINDOW_BYTES) {
        space = PTX_SPACE_SHARED;
        address -= SHARED_WINDOW;
    } else if (space == PTX_SPACE_GENERIC &&
               address - LOCAL_WINDOW < WINDOW_BYTES) {
        space = PTX_SPACE_LOCAL;
        address -= LOCAL_WINDOW;
    }
    if (space == PTX_SPACE_SHARED && find_copy(w, i, lane, address, x.bytes))
        return;
    x.space = space;
    about(w, space, address, &x);
    finding_add(w, i, lane, FIND_UNINITIALISED, &x);
}

static bool place_global(struct warp *w, const struct inst *i, int lane,
                         uint64_t address, uint32_t bytes, struct place *p)
{
    const struct memory *m = &run_of(w)->engine->memory;
    const struct allocation *a = memory_find(m, address);
    uint8_t space = i->detail->space;
    if (!a || !a->live || address + bytes > a->address + a->bytes)
        return refuse(w, i, lane,
                      a && !a->live ? FIND_USE_AFTER_FREE
                                    : FIND_OUT_OF_BOUNDS,
                      space, address, bytes);
    p->host = memory_host(m, address);
    p->init = m->init;
    p->first = address - DEVICE_BASE;
    p->shared_bits = true;
    if (space == PTX_SPACE_GENERIC)
        p->space = PTX_SPACE_GLOBAL;
    return true;
}

static bool place_shared(struct warp *w, const struct inst *i, int lane,
                         uint64_t address, uint32_t bytes, struct place *p)
{
    struct window win;
    if (!window_shared(w, address, &win) || address + bytes > win.hi)
        return refuse(w, i, lane, FIND_OUT_OF_BOUNDS, PTX_SPACE_SHARED,
                      address, bytes);
    p->host = (uint8_t *)(win.host + address);
    p->init = w->worker->shared_init;
    p->first = address;
    p->space = PTX_SPACE_SHARED;
    return true;
}

/* Frames further up the stack are reachable through pointers. */
static bool place_local(struct warp *w, const struct inst *i, int lane,
                        uint64_t address, uint32_t bytes, struct place *p)
{
    const struct kernel *k = run_of(w)->kernel;
    const struct frame *frame = w->leaf->frame;
    uint64_t end = frame->local_base + frame->function->local_bytes +
                   frame->grown[lane];
    if (address >= end || address + bytes > end)
        return refuse(w, i, lane, FIND_OUT_OF_BOUNDS, PTX_SPACE_LOCAL,
                      address, bytes);
    uint64_t at = (uint64_t)lane * k->local_bytes + address;
    p->host = w->local + at;
    p->init = w->local_init;
    p->first = at;
    p->space = PTX_SPACE_LOCAL;
    return true;
}

static bool place_param(struct warp *w, const struct inst *i, int lane,
                        uint64_t address, uint32_t bytes, struct place *p)
{
    const struct kernel_info *k = &run_of(w)->kernel->info;
    uint64_t at = address >= PARAM_WINDOW ? address - PARAM_WINDOW : address;
    if (i->detail->write || at + bytes > k->param_bytes)
        return refuse(w, i, lane, FIND_OUT_OF_BOUNDS, PTX_SPACE_PARAM,
                      address, bytes);
    p->host = run_of(w)->params + at;
    p->init = NULL;
    p->space = PTX_SPACE_PARAM;
    return true;
}

bool place_of(struct warp *w, const struct inst *i, int lane,
              uint64_t address, uint32_t bytes, struct place *p)
{
    uint8_t space = i->detail->space;
    *p = (struct place){.space = space};
    if (address & (bytes - 1))
        return refuse(w, i, lane, FIND_MISALIGNED, space, address, bytes);
    if (space == PTX_SPACE_SHARED)
        return place_shared(w, i, lane, address, bytes, p);
    if (space == PTX_SPACE_LOCAL)
        return place_local(w, i, lane, address, bytes, p);
    if (space == PTX_SPACE_PARAM || address - PARAM_WINDOW < WINDOW_BYTES)
        return place_param(w, i, lane, address, bytes, p);
    if (space == PTX_SPACE_GENERIC && address - SHARED_WINDOW < WINDOW_BYTES)
        return place_shared(w, i, lane, address - SHARED_WINDOW, bytes, p);
    if (space == PTX_SPACE_GENERIC && address - LOCAL_WINDOW < WINDOW_BYTES)
        return place_local(w, i, lane, address - LOCAL_WINDOW, bytes, p);
    return place_global(w, i, lane, address, bytes, p);
}

bool place_part(struct warp *w, const struct inst *i, int lane,
                uint64_t address, uint32_t whole, uint32_t bytes,
                struct place *p)
{
    uint8_t space = i->detail->space;
    *p = (struct place){.space = space};
    if (address & (whole - 1))
        return refuse(w, i, lane, FIND_MISALIGNED, space, address, whole);
    return place_global(w, i, lane, address, bytes, p);
}
