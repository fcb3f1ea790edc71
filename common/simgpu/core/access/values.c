// SPDX-License-Identifier: MIT
/*
 * values.c: initialised bytes. Interface: values.h.
 */
#include "values.h"

#include "bulk.h"
#include "simgpu/core/state/finding.h"
#include "transfer.h"

static bool any_used_unset(const struct access_form *f, const struct place *p)
{
    for (uint32_t used = f->used; used; used &= used - 1)
        if (!bits_all(p->init, p->first + (uint32_t)__builtin_ctz(used), 1))
            return true;
    return false;
}

/* Whole structures are copied by words of 8 bytes, padding included: half of
 * one may be unset. nvcc 12 says which bytes it needs of a vector. */
static bool any_unset(const struct access *a, int lane, const struct place *p)
{
    const struct access_form *f = a->form;
    if (bits_all(p->init, p->first, access_bytes(a, lane)))
        return false;
    if (f->kind != ACCESS_LOAD)
        return true;
    if (f->used)
        return any_used_unset(f, p);
    for (uint32_t e = 0; e < f->n; e++) {
        uint64_t first = p->first + e * f->size;
        bool set = bits_all(p->init, first, f->size) ||
                   (f->size == 8 && (bits_all(p->init, first, 4) ||
                                     bits_all(p->init, first + 4, 4)));
        if (!set)
            return true;
    }
    return false;
}

static struct worker *owner_of(const struct access *a, const struct place *p)
{
    return p->peer ? p->peer : a->warp->worker;
}

static void find_uninitialised(const struct access *a, int lane,
                               const struct place *p)
{
    uint64_t address = a->addr[lane];
    struct finding x = {.bytes = a->bytes};
    x.space = place_space(a->form, &address);
    x.address = p->peer ? p->address : address;
    if (x.space == PTX_SPACE_SHARED &&
        (transfer_accuse(a, lane, owner_of(a, p), p->first) ||
         bulk_accuse(a, lane, owner_of(a, p), p->first)))
        return;
    place_about(a->warp, x.space, x.address, &x);
    access_finding(a, lane, FIND_UNINITIALISED, &x);
}

void values_read(const struct access *a, const struct place places[LANES])
{
    if (!(run_of(a->warp)->checks & CHECK_MEMORY))
        return;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (places[l].init && any_unset(a, l, &places[l]))
            find_uninitialised(a, l, &places[l]);
    }
}

static void find_watched(const struct access *a)
{
    uint64_t watch = run_of(a->warp)->watch;
    for (uint32_t rest = watch ? a->mask : 0; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct finding x = {.space = PTX_SPACE_GLOBAL, .address = watch,
                            .bytes = a->bytes};
        place_about_global(run_of(a->warp)->engine, watch, &x);
        if (watch - a->addr[l] < a->bytes)
            access_finding(a, l, FIND_WATCHED, &x);
    }
}

void values_written(const struct access *a, const struct place places[LANES])
{
    bool stores = a->form->kind == ACCESS_STORE;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        const struct place *p = &places[l];
        if (p->space == PTX_SPACE_SHARED && owner_of(a, p)->pending &&
            !(stores && transfer_accuse(a, l, owner_of(a, p), p->first)))
            bulk_accuse(a, l, owner_of(a, p), p->first);
        if (!p->init)
            continue;
        if (p->atomic_bits)
            bits_set_atomic(p->init, p->first, a->bytes);
        else
            bits_set(p->init, p->first, a->bytes);
    }
    find_watched(a);
}
