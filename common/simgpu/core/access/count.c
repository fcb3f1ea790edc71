// SPDX-License-Identifier: MIT
/*
 * count.c: the access counters of whatever is not plain. Interface: count.h.
 */
#include "count.h"

#include "simgpu/core/state/state.h"

/* Its read of global memory; what it writes is counted nowhere. */
static void count_copy(struct engine_counters *c, const struct access *a)
{
    if (a->space != PTX_SPACE_GLOBAL)
        return;
    c->async_copy_requests++;
    if (!a->mask) /* zeros alone: nothing is read */
        return;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        c->async_copy_bytes += access_bytes(a, first_lane(rest));
    c->async_copy_fetches++;
    c->async_copy_sectors += count_sectors(a, (int)a->bytes);
}

/* Of a bulk copy's range. */
static uint64_t range_sectors(const struct access *a)
{
    uint64_t first = a->addr[first_lane(a->mask)];
    uint64_t last = first + a->bytes - 1;
    return a->bytes ? (last >> 5) - (first >> 5) + 1 : 0;
}

/* A range each. Landing is no access of its own. */
static void count_bulk(struct engine_counters *c, const struct access *a)
{
    uint64_t sectors = range_sectors(a);
    if (a->space != PTX_SPACE_GLOBAL || a->part == PART_LANDED)
        return;
    c->bulk_copies += !a->form->of_box;
    if (a->form->write) {
        c->bulk_store_sectors += sectors;
        c->bulk_store_bytes += a->bytes;
    } else {
        c->bulk_load_sectors += sectors;
        c->bulk_load_bytes += a->bytes;
    }
}

static void count_atomic(struct engine_counters *c, const struct access *a)
{
    c->shared_atomics += a->space == PTX_SPACE_SHARED;
    if (a->space != PTX_SPACE_GLOBAL)
        return;
    c->global_atomics++;
    c->global_atomic_sectors += count_sectors(a, (int)a->bytes);
    c->global_atomic_bytes +=
        (uint64_t)__builtin_popcount(a->mask) * a->bytes;
}

static bool reads_global(const struct access *a)
{
    if (!a->mask || a->space != PTX_SPACE_GLOBAL || a->part == PART_LANDED)
        return false;
    return a->form->kind == ACCESS_LOAD || a->form->kind == ACCESS_ATOMIC ||
           a->form->kind == ACCESS_COPY ||
           (a->form->kind == ACCESS_BULK && !a->form->write);
}

/* Of its lanes, those that begin where no earlier one does. As in
 * count_sectors, addresses that only rise or only fall need no search. */
static int count_places(const struct access *a)
{
    uint64_t up = 0, down = 0;
    uint32_t seen = 0;
    int changes = 0;
    if (a->uniform)
        return 1;
    if (a->unit)
        return LANES;
    for (int l = 1; l < LANES; l++) {
        uint64_t d = a->addr[l] - a->addr[l - 1];
        up |= d;
        down |= -d;
        changes += d != 0;
    }
    if ((int64_t)up >= 0 || (int64_t)down >= 0)
        return changes + 1;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int lane = first_lane(rest);
        uint32_t before = seen;
        while (before && a->addr[first_lane(before)] != a->addr[lane])
            before &= before - 1;
        seen |= before ? 0 : 1u << lane;
    }
    return __builtin_popcount(seen);
}

void count_inputs(struct engine_counters *c, const struct engine_input *in,
                  const struct access *a)
{
    if (!reads_global(a))
        return;
    bool bulk = a->form->kind == ACCESS_BULK;
    uint64_t at = a->addr[first_lane(a->mask)];
    uint64_t n = bulk ? range_sectors(a) : count_sectors(a, (int)a->bytes);
    uint64_t asked = (uint64_t)__builtin_popcount(a->mask) * a->bytes;
    if (!bulk && asked > n << 5)
        c->repeated_bytes += asked - (n << 5);
    if (!bulk)
        c->bytes_asked_again +=
            asked - (uint64_t)count_places(a) * a->bytes;
    for (int i = 0; i < ENGINE_INPUTS && in[i].bytes; i++)
        if (at - in[i].first < in[i].bytes)
            *(in[i].small ? &c->parameter_sectors : &c->input_sectors) += n;
}

/* What a lane has read, into registers; 0: nobody needs it. */
static uint64_t value_of(const struct access *a, int lane)
{
    const struct detail *t = a->inst ? a->inst->detail : NULL;
    uint64_t value = 0;
    for (int e = 0; t && e < t->n; e++)
        if (t->slot[e] != NO_SLOT)
            value = access_mix(value,
                               slot_get(a->warp, t->slot[e], lane, t->reg));
    return value;
}

static bool is_same(const struct warp_asked *x, const struct access *a)
{
    bool alone = !(a->mask & (a->mask - 1));
    bool same = x->form == a->form && !(a->mask & ~x->mask) &&
                (alone || !x->wrote);
    for (uint32_t rest = a->mask; same && rest; rest &= rest - 1)
        same = x->at[first_lane(rest)] == a->addr[first_lane(rest)];
    return same;
}

static void ask(struct warp_asked *x, const struct access *a)
{
    x->form = a->form;
    x->mask = a->mask;
    x->waits = x->wrote = false;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        x->at[l] = a->addr[l];
        x->value[l] = value_of(a, l);
    }
}

/* The same loads again: by one lane, or until another value comes, they are
 * polls. */
static void ask_again(struct warp_asked *x, const struct access *a)
{
    x->waits |= a->warp->spin.sure || !(a->mask & (a->mask - 1));
    for (uint32_t rest = a->mask; !x->waits && rest; rest &= rest - 1)
        x->waits = value_of(a, first_lane(rest)) !=
                   x->value[first_lane(rest)];
    if (x->waits) {
        x->requests = x->sectors = x->bytes = 0;
        return;
    }
    x->requests++;
    x->sectors += count_sectors(a, (int)a->bytes);
    x->bytes += (uint64_t)__builtin_popcount(a->mask) * a->bytes;
}

void count_asked(struct engine_counters *c, struct warp *w)
{
    struct warp_asked *x = &w->asked;
    c->global_load_requests += x->requests;
    c->global_load_sectors += x->sectors;
    c->global_load_bytes += x->bytes;
    count_forget(w);
}

void count_forget(struct warp *w)
{
    struct warp_asked *x = &w->asked;
    x->form = NULL;
    x->requests = x->sectors = x->bytes = 0;
}

/* Lanes ask for flags once more. How often they do so depends on when others
 * come, and is nothing that the kernel has to read. */
static bool asks_again(struct engine_counters *c, const struct access *a)
{
    struct warp_asked *x = &a->warp->asked;
    if (is_same(x, a)) {
        ask_again(x, a);
        return true;
    }
    count_asked(c, a->warp);
    ask(x, a);
    return false;
}

void count_access(struct engine_counters *c, struct pattern *p,
                  const struct access *a)
{
    bool write = a->form->write;
    if (a->form->of_group)
        return; /* around the load/store unit */
    if (a->form->kind == ACCESS_COPY) {
        count_copy(c, a);
    } else if (a->form->kind == ACCESS_BULK) {
        count_bulk(c, a);
    } else if (a->form->kind == ACCESS_OBJECT) {
        return; /* of no counter */
    } else if (a->form->kind == ACCESS_ATOMIC) {
        count_atomic(c, a);
    } else if (a->space == PTX_SPACE_GLOBAL) {
        if (!write && a->form->strong && a->mask && asks_again(c, a))
            return;
        count_global(c, a, (int)a->bytes, write);
    } else if (a->space == PTX_SPACE_SHARED) {
        count_shared(c, p, a, (int)a->bytes, write);
    } else if (a->space == PTX_SPACE_CONST) {
        count_constant(c, a);
    } else if (a->space == PTX_SPACE_LOCAL) {
        c->local_store_requests += write;
        c->local_load_requests += !write;
    }
}
