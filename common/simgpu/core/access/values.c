// SPDX-License-Identifier: MIT
/*
 * values.c: initialised bytes. Interface: values.h.
 */
#include "values.h"

#include "bulk.h"
#include "simgpu/core/state/finding.h"
#include "transfer.h"

/* Of an element's bytes, those that somebody uses. */
static bool used_unset(const struct place *p, uint32_t used)
{
    for (; used; used &= used - 1)
        if (!bits_all(p->init, p->first + (uint32_t)__builtin_ctz(used), 1))
            return true;
    return false;
}

struct elements { /* of a lane's vector, a bit each */
    uint32_t set, unset;
};

/* As padding leaves it: behind a field, the rest of a word, or of a half of it,
 * is unset; n is a power of 2. */
static bool is_padded(const uint8_t *init, uint64_t first, uint32_t n)
{
    if (n == 1)
        return bits_all(init, first, 1);
    uint32_t half = n / 2, set = 0;
    for (uint32_t k = half; k < n; k++)
        set += bits_all(init, first + k, 1);
    return is_padded(init, first, half) &&
           (!set || is_padded(init, first + half, half));
}

/* Who copies structures by words copies their padding: vectors, words of 8
 * bytes, and what a library loads by ld.global.nc. */
static bool copies_padding(const struct access_form *f)
{
    return f->n > 1 || f->size == 8 || f->constant;
}

/* nvcc 12 says which bytes it needs of a vector; elements of which it needs
 * none are neither set nor unset. */
static struct elements elements_of(const struct access_form *f,
                                   const struct place *p)
{
    struct elements x = {0};
    for (uint32_t e = 0; e < f->n; e++) {
        uint64_t first = p->first + e * f->size;
        uint32_t ones = (1u << f->size) - 1, used = f->used >> e * f->size;
        bool set = bits_all(p->init, first, f->size) ||
                   (copies_padding(f) && is_padded(p->init, first, f->size)) ||
                   (f->size == 8 && bits_all(p->init, first + 4, 4));
        if (f->used)
            set = !used_unset(p, f->used & ones << e * f->size);
        if (!f->used || used & ones)
            *(set ? &x.set : &x.unset) |= 1u << e;
    }
    return x;
}

static bool any_unset(const struct access *a, int lane, const struct place *p)
{
    if (bits_all(p->init, p->first, access_bytes(a, lane)))
        return false;
    return a->form->kind != ACCESS_LOAD || elements_of(a->form, p).unset;
}

static struct worker *owner_of(const struct access *a, const struct place *p)
{
    return p->peer ? p->peer : a->warp->worker;
}

/* Somebody counted elements where bytes are meant, perhaps. */
static void say_in_part(const struct access *a, const struct place *p,
                        struct finding *x)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < a->bytes; i++)
        set += bits_all(p->init, p->first + i, 1);
    if (set > 0 && a->form->n == 1)
        snprintf(x->detail, sizeof x->detail, "only %u of its %u bytes written",
                 set, a->bytes);
}

static void find_uninitialised(const struct access *a, int lane,
                               const struct place *p)
{
    uint64_t address = a->addr[lane];
    struct finding x = {.bytes = a->bytes};
    say_in_part(a, p, &x);
    x.space = place_space(a->form, &address);
    x.address = p->peer ? p->address : address;
    if (x.space == PTX_SPACE_SHARED &&
        (transfer_accuse(a, lane, owner_of(a, p), p->first) ||
         bulk_accuse(a, lane, owner_of(a, p), p->first)))
        return;
    struct worker *k = a->warp->worker;
    struct hit hit = {hit_pair(FIND_UNINITIALISED, a->form->site, x.space),
                      x.address, a->warp->block->index,
                      a->warp->index * LANES + (uint32_t)lane, k->order};
    if (a->form->site && found_again(k, &hit))
        return;
    place_about(a->warp, x.space, x.address, &x);
    access_finding(a, lane, FIND_UNINITIALISED, &x);
    if (a->form->site)
        found_remember(k, &hit);
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

/* Lanes that read a word of which a byte is unset. */
static uint32_t unset_lanes(const uint64_t addr[LANES], uint32_t mask,
                            const struct window *win)
{
    const uint8_t *bits = (const uint8_t *)win->init;
    uint32_t unset = 0;
    for (int l = 0; l < LANES; l++)
        unset |= (uint32_t)((bits[addr[l] / 8] >> addr[l] % 8 & 0xf) != 0xf)
                 << l;
    return unset & mask;
}

/* Tiles without a barrier are read by whole warps before they are filled. */
bool values_unset_again(struct warp *w, const struct inst *i, uint32_t mask,
                        const uint64_t addr[LANES], const struct window *win)
{
    const struct access_form *f = &i->detail->access;
    struct worker *k = w->worker;
    if (f->perhaps || f->perhaps_local || f->constant ||
        (f->used && f->used != 0xf) ||
        (f->space == PTX_SPACE_SHARED && k->pending))
        return false;
    uint32_t unset = unset_lanes(addr, mask, win);
    struct hit hit = {.pair = hit_pair(FIND_UNINITIALISED, f->site, f->space),
                      .address = unset ? addr[first_lane(unset)] : 0,
                      .block = w->block->index, .order = k->order};
    if (unset)
        hit.thread = w->index * LANES + (uint32_t)first_lane(unset);
    const struct memo *m = unset ? found_memo(k, &hit) : NULL;
    for (uint32_t rest = unset; rest; rest &= rest - 1) {
        hit.address = addr[first_lane(rest)];
        hit.thread = w->index * LANES + (uint32_t)first_lane(rest);
        if (!m || !found_stands(m, &hit))
            return false;
    }
    if (m)
        found_count(k, m->at, k->order, (uint64_t)__builtin_popcount(unset));
    return true;
}

uint32_t values_partly(const struct access *a, const struct place places[LANES],
                       uint8_t unset[LANES])
{
    uint32_t lanes = 0;
    const struct access_form *f = a->form;
    if ((f->n < 2 && !f->perhaps && !f->perhaps_local) ||
        !(run_of(a->warp)->checks & CHECK_MEMORY))
        return 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        const struct place *p = &places[l];
        if (!p->init || !any_unset(a, l, p) ||
            (p->space == PTX_SPACE_SHARED &&
             transfer_arrives(owner_of(a, p), p->first, a->bytes)))
            continue;
        struct elements x = elements_of(a->form, p);
        unset[l] = (uint8_t)x.unset;
        bool perhaps = f->perhaps || (f->perhaps_local &&
                                      p->space == PTX_SPACE_LOCAL);
        lanes |= x.set || perhaps ? 1u << l : 0;
    }
    return lanes;
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
