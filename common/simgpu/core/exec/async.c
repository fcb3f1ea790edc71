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
    memset(c->data, 0, LANES * c->bytes);
    if (!access_places(a, places))
        return false;
    values_read(a, places);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        transfer_copy(transfer_data(c, l), places[l].host, a->lane_bytes[l]);
    }
    return true;
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
    memcpy(c->brings, sizes, LANES);
    if (!read_source(&from, c))
        return NULL;
    transfer_groups(c, w->groups);
    transfer_begin(&to, c);
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

/* Of t's lanes, those in mask whose group is not among the last n. least, most:
 * of what w's lanes committed. */
static uint32_t due(const struct warp *w, const struct transfer *t,
                    uint32_t mask, uint64_t n, uint32_t least, uint32_t most)
{
    uint32_t lanes = 0;
    if (t->least + n >= most)
        return 0;
    if (t->most + n < least)
        return mask & t->mask;
    for (int l = 0; l < LANES; l++)
        lanes |= (uint32_t)(transfer_group(t, l) + n < w->groups[l]) << l;
    return lanes & mask & t->mask;
}

static uint64_t brought(const struct transfer *t, uint32_t lanes)
{
    uint64_t bytes = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        bytes += t->brings[first_lane(rest)];
    return bytes;
}

/* A wait that leaves copies under way is one that work can overlap. What it
 * leaves must be worth it, beside what it brought: a word on its way hides no
 * tile, and zeros, which nobody reads, hide nothing. One wait may leave little,
 * but of all that came half must have been under way at some wait before. A
 * wait that brings nothing, or a word where others bring tiles, is no wait. */
static void count_wait(struct warp *w, uint64_t landed)
{
    enum { WORTH = 8 }; /* an eighth: tiles may differ in depth */
    struct worker *k = w->worker;
    uint64_t left = 0;
    if (!(k->run->checks & CHECK_COUNTERS) || !landed)
        return;
    for (const struct transfer *t = w->transfers; t; t = t->next)
        left += brought(t, t->mask);
    w->landed = landed > w->landed ? landed : w->landed;
    if (landed * WORTH < w->landed)
        return;
    w->ahead += (int64_t)(2 * left) - (int64_t)landed;
    k->counters.async_waits++;
    k->counters.async_waits_ahead += left * WORTH >= landed && w->ahead >= 0;
}

/* imm: how many of the last groups may stay under way. */
const struct inst *op_async_wait(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    if (i->p0) /* wait_all: of what no group holds, too */
        op_async_commit(w, i, mask);
    uint32_t least = w->groups[0], most = least;
    uint64_t landed = 0;
    for (int l = 1; l < LANES; l++) {
        least = w->groups[l] < least ? w->groups[l] : least;
        most = w->groups[l] > most ? w->groups[l] : most;
    }
    for (struct transfer *t = w->transfers; t; t = t->next) {
        uint32_t lanes = due(w, t, mask, (uint64_t)i->imm, least, most);
        landed += t->bytes * (uint64_t)__builtin_popcount(lanes);
        transfer_land(w->block, t, lanes);
    }
    transfers_sweep(w);
    count_wait(w, landed);
    return i + 1;
}
