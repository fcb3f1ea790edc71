// SPDX-License-Identifier: MIT
/*
 * async.c: cp.async and its groups. Interface: async.h.
 *
 * The source is read and checked when the copy is issued, and shared memory
 * changes only when its thread waits: as late as a program may find it. Until
 * then the bytes count as never written, so that the checks which every read
 * makes anyway come upon them; what a thread never waits for never lands.
 */
#include "async.h"

#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "load_store.h"
#include "simgpu/core/memory/cost.h"
#include "simgpu/core/model/traffic.h"
#include "simgpu/core/race/detect.h"

enum { WORD = 4 }; /* the least that a lane copies */

static struct copy *copy_new(struct worker *k)
{
    struct copy *c = k->free_copies;
    if (c)
        k->free_copies = c->next;
    else if (!(c = malloc(sizeof *c)))
        abort();
    if (!k->copying &&
        !(k->copying = calloc(k->run->shared_end / WORD + COPY_MOST,
                              sizeof *k->copying)))
        abort();
    c->next = NULL;
    c->mask = 0;
    return c;
}

static void copy_recycle(struct worker *k, struct copy *c)
{
    c->next = k->free_copies;
    k->free_copies = c;
}

void copies_reset(struct worker *k)
{
    for (uint32_t n = 0; n < MAX_WARPS; n++) {
        struct warp *w = &k->block.warps[n];
        while (w->copies) {
            struct copy *c = w->copies;
            w->copies = c->next;
            copy_recycle(k, c);
        }
        memset(w->groups, 0, sizeof w->groups);
    }
    if (k->pending)
        memset(k->copying, 0,
               k->run->shared_end / WORD * sizeof *k->copying);
    k->pending = 0;
}

void copies_close(struct worker *k)
{
    copies_reset(k);
    while (k->free_copies) {
        struct copy *next = k->free_copies->next;
        free(k->free_copies);
        k->free_copies = next;
    }
    free(k->copying);
}

static bool is_pending(const struct worker *k, uint64_t address,
                       uint32_t bytes)
{
    uint64_t last = (address + bytes - 1) / WORD;
    bool any = false;
    for (uint64_t word = address / WORD; word <= last; word++)
        any |= k->copying[word] != 0;
    return any;
}

const struct copy *copy_at(const struct block *b, uint64_t address,
                           uint32_t bytes, uint32_t *thread)
{
    const struct worker *k = b->warps[0].worker;
    if (!k->pending || !is_pending(k, address, bytes))
        return NULL;
    for (uint32_t n = 0; n < b->n_warps; n++)
        for (const struct copy *c = b->warps[n].copies; c; c = c->next)
            for (uint32_t rest = c->mask; rest; rest &= rest - 1) {
                int l = first_lane(rest);
                uint32_t size = c->at->detail->size * c->at->detail->n;
                *thread = n * LANES + (uint32_t)l;
                if (address < c->to[l] + size && c->to[l] < address + bytes)
                    return c;
            }
    return NULL;
}

/* Issue ------------------------------------------------------------------ */

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

static bool read_source(struct warp *w, const struct inst *i, int l,
                        uint64_t address, uint32_t bytes, uint8_t *data)
{
    struct inst from = *i; /* as a load */
    struct place p;
    uint32_t size = (uint32_t)i->detail->size * i->detail->n;
    from.detail = i->detail->from;
    memset(data, 0, size);
    if (bytes == 0)
        return true;
    if (!place_part(w, &from, l, address, size, bytes, &p))
        return false;
    if (run_of(w)->checks & CHECK_MEMORY &&
        !bits_all(p.init, p.first, bytes))
        find_uninitialised(w, &from, l, address);
    memcpy(data, p.host, bytes);
    return true;
}

static void source_addresses(const struct warp *w, const struct inst *i,
                             uint64_t addr[LANES])
{
    const void *base = slot(w, i->b);
    for (int l = 0; l < LANES; l++)
        addr[l] = i->bits + (i->p0 ? ((const uint64_t *)base)[l]
                                   : ((const uint32_t *)base)[l]);
}

static void count(struct worker *k, const struct inst *i,
                  const uint64_t from[LANES], uint32_t mask, uint64_t bytes)
{
    if (k->tap)
        tap_access(k, i->detail, PTX_SPACE_GLOBAL, mask, from);
    if (!(k->run->checks & CHECK_COUNTERS))
        return;
    k->counters.async_copy_requests++;
    k->counters.async_copy_bytes += bytes;
    if (!mask) // zeros alone: nothing is read
        return;
    k->counters.async_copy_fetches++;
    k->counters.async_copy_sectors += access_sectors(from, mask);
}

/* Two copies under way to one place: groups of one thread land in order,
 * all else does not. */
static void find_overlap(struct warp *w, const struct copy *c, int l)
{
    uint32_t bytes = (uint32_t)c->at->detail->size * c->at->detail->n, thread;
    const struct copy *other = copy_at(w->block, c->to[l], bytes, &thread);
    int lane = (int)(thread % LANES);
    if (!other)
        return;
    bool same_thread = thread == w->index * LANES + (uint32_t)l;
    bool same_bytes = other->to[lane] == c->to[l] &&
                      memcmp(other->data[lane], c->data[l], bytes) == 0;
    if (!same_bytes && !(same_thread && other->group[lane] != c->group[l]))
        find_copy(w, c->at, l, c->to[l], bytes);
}

static void append(struct warp *w, struct copy *c)
{
    struct copy **end = &w->copies;
    while (*end)
        end = &(*end)->next;
    *end = c;
}

/* Lane l's bytes are under way from now on. */
static void start_lane(struct warp *w, struct copy *c, int l)
{
    struct worker *k = w->worker;
    uint32_t bytes = (uint32_t)c->at->detail->size * c->at->detail->n;
    c->group[l] = w->groups[l];
    find_overlap(w, c, l);
    c->mask |= 1u << l;
    for (uint32_t b = 0; b < bytes; b += WORD)
        k->copying[(c->to[l] + b) / WORD]++;
    k->pending++;
    bits_clear(k->shared_init, c->to[l], bytes);
}

static bool places_fit(struct warp *w, const struct inst *i, uint32_t mask,
                       const uint64_t to[LANES])
{
    struct place p;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (!place_of(w, i, l, to[l],
                      (uint32_t)i->detail->size * i->detail->n, &p))
            return false;
    }
    return true;
}

const struct inst *op_async_copy(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    uint64_t from[LANES], asked = 0;
    uint32_t size = (uint32_t)i->detail->size * i->detail->n;
    uint32_t reads = 0, whole = 0;
    struct copy *c = copy_new(w->worker);
    c->at = i;
    c->function = w->leaf->frame->function;
    append(w, c);
    source_addresses(w, i, from);
    lane_addresses(w, i, mask, c->to);
    if (!places_fit(w, i, mask, c->to))
        return NULL;
    if (w->worker->race)
        race_look(w, i, mask, c->to);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint32_t bytes = source_bytes(w, i, l);
        if (bytes > size)
            return op_unsupported(w, i, 1u << l);
        if (!read_source(w, i, l, from[l], bytes, c->data[l]))
            return NULL;
        start_lane(w, c, l);
        reads |= (uint32_t)(bytes != 0) << l;
        whole |= (uint32_t)(bytes == size) << l;
        asked += bytes;
    }
    count(w->worker, i, from, reads, asked);
    if (w->worker->race) {
        struct inst load = *i;
        load.detail = i->detail->from;
        race_access(w, &load, whole, from, false);
    }
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

static void land_lane(struct worker *k, struct copy *c, int l)
{
    uint32_t bytes = (uint32_t)c->at->detail->size * c->at->detail->n;
    memcpy(k->shared + c->to[l], c->data[l], bytes);
    for (uint32_t b = 0; b < bytes; b += WORD)
        if (--k->copying[(c->to[l] + b) / WORD] == 0)
            bits_set(k->shared_init, c->to[l] + b, WORD);
    k->pending--;
}

/* Of c's lanes, those in mask whose group is not among the last n. */
static uint32_t due(const struct warp *w, const struct copy *c, uint32_t mask,
                    uint64_t n)
{
    uint32_t lanes = 0;
    for (uint32_t rest = mask & c->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        lanes |= (uint32_t)(c->group[l] + n < w->groups[l]) << l;
    }
    return lanes;
}

/* imm: how many of the last groups may stay under way. */
/* A wait that leaves copies under way is one that work can overlap. */
static void count_wait(struct warp *w)
{
    struct worker *k = w->worker;
    if (!(k->run->checks & CHECK_COUNTERS))
        return;
    k->counters.async_waits++;
    k->counters.async_waits_ahead += w->copies != NULL;
}

const struct inst *op_async_wait(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    struct copy **p = &w->copies;
    if (i->p0) /* wait_all: of what no group holds too */
        op_async_commit(w, i, mask);
    while (*p) {
        struct copy *c = *p;
        uint32_t lanes = due(w, c, mask, (uint64_t)i->imm);
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            land_lane(w->worker, c, first_lane(rest));
        c->mask &= ~lanes;
        if (lanes && w->worker->race)
            race_keep(w, c->at, lanes, c->to);
        if (c->mask) {
            p = &c->next;
        } else {
            *p = c->next;
            copy_recycle(w->worker, c);
        }
    }
    count_wait(w);
    return i + 1;
}
