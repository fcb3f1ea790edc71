// SPDX-License-Identifier: MIT
/*
 * place.c: from an address as the program sees it to bytes of this process,
 * with exact bounds; and what to say when there are none.
 *
 * Interface: place.h.
 */
#include "place.h"

#include <string.h>

#include "simgpu/core/memory/pieces.h"
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
    out->constant = false;
    return true;
}

/* Never the device heap's: its pieces come and go during a launch, so each
 * access asks for its own. */
bool window_global(struct warp *w, uint64_t address, struct window *out)
{
    const struct memory *m = &run_of(w)->engine->memory;
    const struct allocation *a = memory_find(m, address);
    struct piece piece;
    if (!a || !a->live || heap_find(run_of(w)->engine->heap, address, &piece))
        return false;
    memory_window(m, a, out);
    out->constant = run_is_constant(run_of(w), address);
    return true;
}

void place_about_global(const struct engine *engine, uint64_t address,
                  struct finding *x)
{
    const struct memory *m = &engine->memory;
    const struct allocation *a = memory_near(m, address);
    struct piece piece;
    if (!a)
        return;
    if (heap_find(engine->heap, address, &piece)) {
        x->array = "memory of malloc in a kernel";
        x->offset = (int64_t)(address - piece.address);
        x->array_bytes = piece.bytes;
        return;
    }
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
    address &= (1u << SHARED_RANK) - 1;
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

void place_about(struct warp *w, uint8_t space, uint64_t address,
                 struct finding *x)
{
    if (space == PTX_SPACE_SHARED)
        about_shared(w, address, x);
    else if (space == PTX_SPACE_LOCAL)
        about_local(w, address, x);
    else
        place_about_global(run_of(w)->engine, address, x);
}

/* A shared address that no block may have. */
static void about_rank(const struct access *a, uint64_t address,
                       struct finding *x)
{
    const struct worker *k = a->warp->worker;
    unsigned long long rank = (address >> SHARED_RANK) - 1;
    if (!(address >> SHARED_RANK) || !k->cluster)
        return;
    if (rank >= k->cluster->n)
        snprintf(x->detail, sizeof x->detail,
                 "rank %llu of a cluster of %u blocks", rank, k->cluster->n);
    else if (rank != k->rank && a->form->space != PTX_SPACE_GENERIC &&
             !a->form->cluster)
        snprintf(x->detail, sizeof x->detail,
                 "memory of rank %llu, by an instruction for the block's own",
                 rank);
}

static void about_freed(const struct access *a, uint64_t address,
                        struct finding *x)
{
    struct piece piece;
    if (heap_find(run_of(a->warp)->engine->heap, address, &piece))
        heap_freed_at(&piece, "", x->detail, sizeof x->detail);
}

static void about_divisor(const struct warp *w, int lane, struct finding *x)
{
    const struct source *s;
    const char *name;
    size_t n = strlen(x->detail);
    if (!(w->divided.lanes >> lane & 1))
        return;
    s = finding_source(w->divided.in, w->divided.at);
    name = s->file ? strrchr(s->file, '/') : NULL;
    snprintf(x->detail + n, sizeof x->detail - n,
             "%sthe thread divided by 0 at %s:%d", n ? "; " : "",
             name ? name + 1 : s->file ? s->file : "?", s->line);
}

static bool refuse(const struct access *a, int lane, enum finding_kind kind,
                   uint8_t space, uint64_t address)
{
    struct finding x = {.space = space, .address = address,
                        .bytes = access_bytes(a, lane)};
    if (kind == FIND_MISALIGNED)
        x.bytes = a->bytes;
    if (kind == FIND_MISALIGNED && a->form->kind == ACCESS_BULK)
        snprintf(x.detail, sizeof x.detail,
                 "such a copy needs an address that is a multiple of %u",
                 a->form->align);
    place_about(a->warp, space, address, &x);
    if (address - LOCAL_WINDOW < WINDOW_BYTES) /* by ld.global and the like */
        x.space = PTX_SPACE_LOCAL;
    if (space == PTX_SPACE_SHARED)
        about_rank(a, address, &x);
    if (kind == FIND_USE_AFTER_FREE)
        about_freed(a, address, &x);
    about_divisor(a->warp, lane, &x);
    access_finding(a, lane, kind, &x);
    fault_raise(a->warp, kind == FIND_MISALIGNED ? FAULT_MISALIGNED
                                                 : FAULT_ADDRESS);
    return false;
}

/* Where a generic address leads: a small space and the address in it, or what
 * the form says. */
uint8_t place_space(const struct access_form *form, uint64_t *address)
{
    static const struct { uint64_t base; uint8_t space; } windows[] = {
        {SHARED_WINDOW, PTX_SPACE_SHARED}, {LOCAL_WINDOW, PTX_SPACE_LOCAL},
        {PARAM_WINDOW, PTX_SPACE_PARAM}};
    if (form->space != PTX_SPACE_GENERIC)
        return form->space;
    for (size_t k = 0; k < sizeof windows / sizeof *windows; k++)
        if (*address - windows[k].base < WINDOW_BYTES) {
            *address -= windows[k].base;
            return windows[k].space;
        }
    return PTX_SPACE_GENERIC;
}

/* The device heap: an access must be within one piece that lives. */
static bool in_piece(const struct access *a, int lane, const struct piece *p,
                     uint8_t space, uint64_t address)
{
    uint64_t at = address - p->address;
    if (at >= p->bytes || access_bytes(a, lane) > p->bytes - at)
        return refuse(a, lane, FIND_OUT_OF_BOUNDS, space, address);
    return p->live || refuse(a, lane, FIND_USE_AFTER_FREE, space, address);
}

static bool place_global(const struct access *a, int lane, uint8_t space,
                         uint64_t address, struct place *p)
{
    const struct engine *e = run_of(a->warp)->engine;
    const struct memory *m = &e->memory;
    const struct allocation *x = memory_find(m, address);
    struct piece piece;
    if (x && heap_find(e->heap, address, &piece)) {
        if (!in_piece(a, lane, &piece, space, address))
            return false;
    } else if (!x || !x->live ||
               address + access_bytes(a, lane) > x->address + x->bytes)
        return refuse(a, lane, x && !x->live ? FIND_USE_AFTER_FREE
                                             : FIND_OUT_OF_BOUNDS,
                      space, address);
    *p = (struct place){.host = memory_host(m, address), .init = m->init,
                        .first = address - DEVICE_BASE, .address = address,
                        .space = space, .atomic_bits = true};
    if (space == PTX_SPACE_GENERIC)
        p->space = PTX_SPACE_GLOBAL;
    return true;
}

/* Whose memory a shared address names, and *address within it; NULL: there is
 * no such block. */
static struct worker *owner_of(const struct access *a, uint64_t *address)
{
    struct worker *k = a->warp->worker;
    const struct access_form *f = a->form;
    uint64_t rank = *address >> SHARED_RANK;
    *address &= (1u << SHARED_RANK) - 1;
    if (!rank)
        return k;
    if (!k->cluster || rank > k->cluster->n ||
        (!f->cluster && f->space != PTX_SPACE_GENERIC && rank - 1 != k->rank))
        return NULL;
    return k->cluster->member[rank - 1];
}

static bool place_shared(const struct access *a, int lane, uint64_t address,
                         struct place *p)
{
    struct window win;
    uint64_t at = address;
    struct worker *k = owner_of(a, &at);
    if (!k || !window_shared(a->warp, at, &win) ||
        at + access_bytes(a, lane) > win.hi)
        return refuse(a, lane, FIND_OUT_OF_BOUNDS, PTX_SPACE_SHARED, address);
    *p = (struct place){.host = k->shared + at, .init = k->shared_init,
                        .first = at, .address = at,
                        .peer = k == a->warp->worker ? NULL : k,
                        .space = PTX_SPACE_SHARED};
    return true;
}

/* Frames further up the stack are reachable through pointers. */
static bool place_local(const struct access *a, int lane, uint64_t address,
                        struct place *p)
{
    struct warp *w = a->warp;
    const struct kernel *k = run_of(w)->kernel;
    const struct frame *frame = w->leaf->frame;
    uint64_t end = frame->local_base + frame->function->local_bytes +
                   frame->grown[lane];
    if (address >= end || address + access_bytes(a, lane) > end)
        return refuse(a, lane, FIND_OUT_OF_BOUNDS, PTX_SPACE_LOCAL, address);
    uint64_t at = (uint64_t)lane * k->local_bytes + address;
    *p = (struct place){.host = w->local + at, .init = w->local_init,
                        .first = at, .address = address,
                        .space = PTX_SPACE_LOCAL};
    return true;
}

static bool place_param(const struct access *a, int lane, uint64_t address,
                        struct place *p)
{
    const struct run *r = run_of(a->warp);
    uint64_t at = address >= PARAM_WINDOW ? address - PARAM_WINDOW : address;
    if (a->form->write ||
        at + access_bytes(a, lane) > r->kernel->info.param_bytes)
        return refuse(a, lane, FIND_OUT_OF_BOUNDS, PTX_SPACE_PARAM, address);
    *p = (struct place){.host = r->params + at, .address = address,
                        .space = PTX_SPACE_PARAM};
    return true;
}

bool place_of(const struct access *a, int lane, struct place *p)
{
    uint64_t address = a->addr[lane];
    uint8_t space = place_space(a->form, &address);
    uint32_t align = a->form->align ? a->form->align : a->bytes;
    if (a->addr[lane] & (align - 1))
        return refuse(a, lane, FIND_MISALIGNED, a->form->space, a->addr[lane]);
    switch (space) {
    case PTX_SPACE_SHARED: return place_shared(a, lane, address, p);
    case PTX_SPACE_LOCAL: return place_local(a, lane, address, p);
    case PTX_SPACE_PARAM: return place_param(a, lane, address, p);
    default:
        if (address - PARAM_WINDOW < WINDOW_BYTES)
            return place_param(a, lane, address, p);
        return place_global(a, lane, space, address, p);
    }
}

/* An array that a lane was found in, and that lane's place. */
struct neighbour {
    struct window array; /* hi = lo: none */
    const struct place *place;
    uint64_t address;
};

/* The array around a place whose address is the program's own; else none. */
static void note_found(const struct access *a, int lane, const struct place *p,
                       struct neighbour *f)
{
    uint64_t address = a->addr[lane];
    bool known = p->address == address && !p->peer &&
                 (p->space == PTX_SPACE_SHARED
                      ? window_shared(a->warp, address, &f->array)
                      : p->space == PTX_SPACE_GLOBAL &&
                            window_global(a->warp, address, &f->array));
    f->place = p;
    f->address = address;
    if (!known)
        f->array.lo = f->array.hi = 0;
}

/* A lane in the same array; anything else is place_of's. */
static bool place_beside(const struct access *a, int lane, uint32_t align,
                         const struct neighbour *f, struct place *p)
{
    uint64_t address = a->addr[lane], offset = address - f->array.lo;
    uint64_t room = f->array.hi - f->array.lo, away = address - f->address;
    if (offset >= room || access_bytes(a, lane) > room - offset ||
        address & (align - 1))
        return false;
    const struct place *there = f->place;
    *p = (struct place){.host = there->host + away, .init = there->init,
                        .first = there->first + away, .address = address,
                        .space = there->space,
                        .atomic_bits = there->atomic_bits};
    return true;
}

bool access_places(const struct access *a, struct place places[LANES])
{
    uint32_t align = a->form->align ? a->form->align : a->bytes;
    struct neighbour f = {.array = {0}};
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (place_beside(a, l, align, &f, &places[l]))
            continue;
        if (!place_of(a, l, &places[l]))
            return false;
        note_found(a, l, &places[l], &f);
    }
    return true;
}

static uint32_t in_space(uint32_t mask, const struct place places[LANES],
                         uint8_t space)
{
    uint32_t lanes = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (places[first_lane(rest)].space == space)
            lanes |= rest & -rest;
    return lanes;
}

int access_split(const struct access *whole,
                 const struct place places[LANES], struct access part[PARTS])
{
    int n = 0;
    for (uint8_t space = PTX_SPACE_GLOBAL; space <= PTX_SPACE_LOCAL; space++)
        for (uint32_t rest = in_space(whole->mask, places, space); rest;) {
            struct worker *peer = places[first_lane(rest)].peer;
            part[n] = *whole;
            part[n].mask = 0;
            part[n].space = space;
            part[n].peer = peer;
            for (uint32_t each = rest; each; each &= each - 1) {
                int l = first_lane(each);
                if (places[l].peer != peer)
                    continue;
                part[n].mask |= 1u << l;
                part[n].addr[l] = places[l].address;
            }
            rest &= ~part[n].mask;
            access_facts(&part[n++]);
        }
    return n;
}
