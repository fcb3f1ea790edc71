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

/* What each lane reads; the rest of what it writes is zeros. Returns the lanes
 * that ask for more than the copy's size. */
static uint32_t read_sizes(const struct warp *w, const struct inst *i,
                           uint32_t mask, uint8_t sizes[LANES])
{
    uint32_t most = i->detail->from->size, wrong = 0;
    const uint32_t *extra = slot(w, i->c);
    uint32_t ignored = i->p1 == COPY_IGNORED ? *extra : 0;
    for (int l = 0; l < LANES; l++) {
        uint32_t bytes = i->p1 == COPY_SIZED ? extra[l]
                         : ignored >> l & 1  ? 0 : most;
        bytes = mask >> l & 1 ? bytes : 0;
        wrong |= (uint32_t)(bytes > most) << l;
        sizes[l] = (uint8_t)bytes;
    }
    return wrong;
}

/* The copy's read of global memory. sizes: what each lane reads. */
static void begin_source(struct access *a, struct warp *w,
                         const struct inst *i, const uint8_t sizes[LANES])
{
    const void *base = slot(w, i->b);
    access_init(a, w, i, i->detail->from, PTX_SPACE_GLOBAL, 0);
    a->lane_bytes = sizes;
    if (i->p0)
        for (int l = 0; l < LANES; l++)
            a->addr[l] = i->bits + ((const uint64_t *)base)[l];
    else
        for (int l = 0; l < LANES; l++)
            a->addr[l] = i->bits + ((const uint32_t *)base)[l];
    for (int l = 0; l < LANES; l++)
        a->mask |= (uint32_t)(sizes[l] != 0) << l;
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
        transfer_copy(c->data[l], places[l].host, a->lane_bytes[l]);
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

/* One lane after the other: some bytes have a copy under way. */
static void start_crowded(const struct access *to, struct transfer *c)
{
    for (uint32_t rest = to->mask; rest; rest &= rest - 1) {
        find_overlap(to, c, first_lane(rest));
        transfer_start(to, c, first_lane(rest));
    }
}

const struct inst *op_async_copy(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    struct access from, to;
    struct place places[LANES];
    uint8_t sizes[LANES];
    access_begin(&to, w, i, mask);
    if (!access_places(&to, places))
        return NULL;
    access_facts(&to);
    to.part = PART_ISSUED;
    uint32_t wrong = read_sizes(w, i, mask, sizes);
    if (wrong)
        return op_unsupported(w, i, wrong);
    begin_source(&from, w, i, sizes);
    access_raise(&to);
    struct transfer *c = transfer_new(w, i);
    if (!read_source(&from, c))
        return NULL;
    memcpy(c->group, w->groups, sizeof c->group);
    if (!transfer_start_alone(&to, c))
        start_crowded(&to, c);
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
    for (int l = 0; l < LANES; l++)
        lanes |= (uint32_t)(t->group[l] + n < w->groups[l]) << l;
    return lanes & mask & t->mask;
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
