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
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/values.h"

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

/* The copy's read of global memory. sizes: what each lane reads. */
static void begin_source(struct access *a, struct warp *w,
                         const struct inst *i, uint32_t mask,
                         const uint8_t sizes[LANES])
{
    const void *base = slot(w, i->b);
    *a = (struct access){.warp = w, .inst = i, .form = i->detail->from,
                         .bytes = i->detail->from->size,
                         .space = PTX_SPACE_GLOBAL, .lane_bytes = sizes};
    for (int l = 0; l < LANES; l++)
        a->addr[l] = i->bits + (i->p0 ? ((const uint64_t *)base)[l]
                                      : ((const uint32_t *)base)[l]);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        a->mask |= sizes[first_lane(rest)] ? rest & -rest : 0;
    access_facts(a);
}

static bool read_source(const struct access *a, struct copy *c)
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
static void find_overlap(const struct access *a, const struct copy *c, int l)
{
    uint32_t thread;
    const struct copy *other =
        copy_at(a->warp->block, c->to[l], a->bytes, &thread);
    int lane = (int)(thread % LANES);
    if (!other)
        return;
    bool same_thread = thread == a->warp->index * LANES + (uint32_t)l;
    bool same_bytes = other->to[lane] == c->to[l] &&
                      memcmp(other->data[lane], c->data[l], a->bytes) == 0;
    if (!same_bytes && !(same_thread && other->group[lane] != c->group[l]))
        find_copy(a, l, c->to[l]);
}

static void append(struct warp *w, struct copy *c)
{
    struct copy **end = &w->copies;
    while (*end)
        end = &(*end)->next;
    *end = c;
}

/* Lane l's bytes are under way from now on. */
static void start_lane(const struct access *a, struct copy *c, int l)
{
    struct worker *k = a->warp->worker;
    c->group[l] = a->warp->groups[l];
    find_overlap(a, c, l);
    c->mask |= 1u << l;
    for (uint32_t b = 0; b < a->bytes; b += WORD)
        k->copying[(c->to[l] + b) / WORD]++;
    k->pending++;
    bits_clear(k->shared_init, c->to[l], a->bytes);
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
    struct copy *c = copy_new(w->worker);
    c->at = i;
    c->function = w->leaf->frame->function;
    append(w, c);
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
    if (!read_source(&from, c))
        return NULL;
    memcpy(c->to, to.addr, sizeof c->to);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        start_lane(&to, c, first_lane(rest));
    access_raise(&from);
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

static void raise_landed(struct warp *w, const struct copy *c, uint32_t lanes)
{
    const struct access_form *form = &c->at->detail->access;
    struct access a = {.warp = w, .inst = c->at, .form = form, .mask = lanes,
                       .bytes = (uint32_t)form->size * form->n,
                       .space = PTX_SPACE_SHARED, .part = PART_LANDED,
                       .stored = (uintptr_t)w->worker->shared};
    memcpy(a.addr, c->to, sizeof a.addr);
    access_facts(&a);
    access_raise(&a);
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
        if (lanes)
            raise_landed(w, c, lanes);
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
