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

/* A range each. Landing is no access of its own. */
static void count_bulk(struct engine_counters *c, const struct access *a)
{
    uint64_t first = a->addr[first_lane(a->mask)];
    uint64_t last = first + a->bytes - 1;
    uint64_t sectors = a->bytes ? (last >> 5) - (first >> 5) + 1 : 0;
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

/* A lane asks for a flag once more. How often it does so depends on when others
 * come, and is nothing that the kernel has to read. */
static bool asks_again(const struct access *a)
{
    struct warp *w = a->warp;
    uint64_t at;
    bool again;

    if (a->form->write || !a->form->strong || !a->mask ||
        (a->mask & (a->mask - 1)))
        return false;
    at = a->addr[first_lane(a->mask)];
    again = w->asked == a->form && w->asked_at == at;
    w->asked = a->form;
    w->asked_at = at;
    return again;
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
        if (asks_again(a))
            return;
        count_global(c, a, (int)a->bytes, write);
    } else if (a->space == PTX_SPACE_SHARED) {
        count_shared(c, p, a, (int)a->bytes, write);
    } else if (a->space == PTX_SPACE_LOCAL) {
        c->local_store_requests += write;
        c->local_load_requests += !write;
    }
}
