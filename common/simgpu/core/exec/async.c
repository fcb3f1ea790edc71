// SPDX-License-Identifier: MIT
/*
 * async.c: cp.async and its commit groups. Interface: async.h.
 *
 * The source is read and checked when the copy is issued, and shared memory
 * changes only when somebody waits for it: as late as a program may find it
 * (access/transfer.h).
 */
#include "async.h"

#include <string.h>

#include "control.h"
#include "load_store.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/access/values.h"

/* Bytes that lane l reads; the rest of what it writes is zeros. */
static uint32_t source_bytes(const struct warp *w, const struct inst *i,
                             int l)
{
    uint32_t most = (uint32_t)i->detail->size * i->detail->n;
    const uint32_t *extra = slot(w, i->c);
    if (i->p1 == COPY_IGNORED)
        return *extra >> l & 1 ? 0 : most;
    return i->p1 == COPY_SIZED ? extra[l] : most;
}

/* The copy's read of global memory. sizes: what each lane reads. */
static void begin_source(struct access *a, struct warp *w,
                         const struct inst *i, uint32_t mask,
                         const uint8_t sizes[LANES])
{
    const void *base = slot(w, i->b);
    access_init(a, w, i, i->detail->from, PTX_SPACE_GLOBAL, 0);
    a->lane_bytes = sizes;
    for (int l = 0; l < LANES; l++)
        a->addr[l] = i->bits + (i->p0 ? ((const uint64_t *)base)[l]
                                      : ((const uint32_t *)base)[l]);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        a->mask |= sizes[first_lane(rest)] ? rest & -rest : 0;
    access_facts(a);
}

static bool read_source(const struct access *a, struct transfer *c)
{
    struct place places[LANES];
    memset(c->data, 0, sizeof c->data);
    if (!access_places(a, places))
        return false;
    values_read(a, places);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        memcpy(c->data[l], places[l].host, a->lane_bytes[l]);
    }
    return true;
}

/* Two copies under way to one place: groups of one thread land in order,
 * all else does not. */
static void find_overlap(const struct access *a, const struct transfer *c,
                         int l)
{
    uint32_t thread;
    const struct transfer *other =
        transfer_at(a->warp->block, a->addr[l], a->bytes, &thread);
    int lane = (int)(thread % LANES);
    if (!other)
        return;
    bool same_thread = thread == a->warp->index * LANES + (uint32_t)l;
    bool same_bytes = other->to[lane] == a->addr[l] &&
                      memcmp(other->data[lane], c->data[l], a->bytes) == 0;
    if (!same_bytes && !(same_thread && other->group[lane] != c->group[l]))
        transfer_accuse(a, l, a->warp->worker, a->addr[l]);
}

/* Returns the lanes that ask for more than the copy's size. */
static uint32_t read_sizes(const struct warp *w, const struct inst *i,
                           uint32_t mask, uint8_t sizes[LANES])
{
    uint32_t wrong = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint32_t bytes = source_bytes(w, i, l);
        wrong |= (uint32_t)(bytes > i->detail->from->size) << l;
        sizes[l] = (uint8_t)bytes;
    }
    return wrong;
}

const struct inst *op_async_copy(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    struct access from, to;
    struct place places[LANES];
    uint8_t sizes[LANES] = {0};
    access_begin(&to, w, i, mask);
    if (!access_places(&to, places))
        return NULL;
    access_facts(&to);
    to.part = PART_ISSUED;
    uint32_t wrong = read_sizes(w, i, mask, sizes);
    if (wrong)
        return op_unsupported(w, i, wrong);
    begin_source(&from, w, i, mask, sizes);
    access_raise(&to);
    struct transfer *c = transfer_new(w, i);
    if (!read_source(&from, c))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        c->group[l] = w->groups[l];
        find_overlap(&to, c, l);
        transfer_start(&to, c, l);
    }
    transfer_reads(&from, c);
    return i + 1;
}

/* Groups ----------------------------------------------------------------- */

const struct inst *op_async_commit(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->groups[first_lane(rest)]++;
    return i + 1;
}

/* Of t's lanes, those in mask whose group is not among the last n. */
static uint32_t due(const struct warp *w, const struct transfer *t,
                    uint32_t mask, uint64_t n)
{
    uint32_t lanes = 0;
    for (uint32_t rest = mask & t->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        lanes |= (uint32_t)(t->group[l] + n < w->groups[l]) << l;
    }
    return lanes;
}

/* A wait that leaves copies under way is one that work can overlap. */
static void count_wait(struct warp *w, bool ahead)
{
    struct worker *k = w->worker;
    if (!(k->run->checks & CHECK_COUNTERS))
        return;
    k->counters.async_waits++;
    k->counters.async_waits_ahead += ahead;
}

/* imm: how many of the last groups may stay under way. */
const struct inst *op_async_wait(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    bool left = false;
    if (i->p0) /* wait_all: of what no group holds, too */
        op_async_commit(w, i, mask);
    for (struct transfer *t = w->block->transfers; t; t = t->next) {
        if (t->warp != w->index)
            continue;
        transfer_land(w->block, t, due(w, t, mask, (uint64_t)i->imm));
        left |= t->mask != 0;
    }
    transfers_sweep(w->block);
    count_wait(w, left);
    return i + 1;
}
