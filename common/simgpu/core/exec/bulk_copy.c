// SPDX-License-Identifier: MIT
/*
 * bulk_copy.c: bulk copies and their groups. Interface: bulk_copy.h.
 *
 * The source is read and checked when the copy is issued, and the target
 * changes when somebody waits: for the mbarrier that counts the bytes
 * (mbarrier_object.c), or for the thread's group. Both are accesses by the
 * asynchronous proxy (race/race_proxy.c).
 */
#include "bulk_copy.h"

#include <string.h>

#include "control.h"
#include "move.h"
#include "mbarrier_object.h"
#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"

#include <stdlib.h>

enum { UNIT = 16 }; /* bytes: of addresses and sizes; PTX ISA, cp.async.bulk */
/* Of what is under way: above every barrier, so ordered before nothing. */
#define STAMP_UNDER_WAY 0x7fffffffu

/* One lane's, while it is issued. */
struct issue {
    struct warp *w;
    const struct inst *i;
    const struct bulk_info *info;
    int lane;
    uint32_t bytes;
};

static uint64_t operand(const struct warp *w, uint32_t at, int l, bool wide)
{
    return wide ? ((uint64_t *)slot(w, at))[l] : ((uint32_t *)slot(w, at))[l];
}

static uint64_t address_of(const struct issue *s, const struct bulk_address *a)
{
    return operand(s->w, a->slot, s->lane, a->wide) + (uint64_t)a->imm;
}

/* An access of the lane's, at an address as the program has it. */
static void begin(struct access *a, const struct issue *s,
                  const struct access_form *form, uint64_t address,
                  uint32_t bytes)
{
    access_init(a, s->w, s->i, form, form->space, 1u << s->lane);
    a->bytes = bytes;
    for (int l = 0; l < LANES; l++)
        a->addr[l] = address;
}

/* Where it lies, and from then on its address there; false after a finding. */
static bool locate(struct access *a, int lane, struct place *p)
{
    if (!place_of(a, lane, p))
        return false;
    for (int l = 0; l < LANES; l++)
        a->addr[l] = p->address;
    a->space = p->space;
    a->peer = p->peer;
    access_facts(a);
    return true;
}

static bool misuse(const struct issue *s, const char *text)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail, "%s", text);
    finding_add(s->w, s->i, s->lane, FIND_BARRIER, &x);
    fault_raise(s->w, FAULT_BARRIER);
    return false;
}

static bool size_fits(const struct issue *s)
{
    struct finding x = {.bytes = s->bytes};
    if (s->bytes % UNIT == 0)
        return true;
    snprintf(x.detail, sizeof x.detail,
             "a bulk copy of %u bytes: the size has to be a multiple of 16",
             s->bytes);
    finding_add(s->w, s->i, s->lane, FIND_MISALIGNED, &x);
    fault_raise(s->w, FAULT_MISALIGNED);
    return false;
}

/* Reads the source into data. *from: whose shared memory it is, and *at where
 * there. */
static bool read_source(const struct issue *s, uint8_t *data,
                        struct worker **from, uint64_t *at)
{
    struct access a;
    struct place places[LANES];
    begin(&a, s, &s->info->source, address_of(s, &s->info->from), s->bytes);
    if (!locate(&a, s->lane, &places[s->lane]))
        return false;
    struct place *p = &places[s->lane];
    bool shared = p->space == PTX_SPACE_SHARED;
    values_read(&a, places);
    memcpy(data, p->host, s->bytes);
    *from = shared ? s->w->worker : NULL;
    *at = p->address;
    a.part = shared ? PART_ISSUED : PART_WHOLE;
    access_raise(&a);
    return true;
}

/* Element by element, each of them atomically. */
static void reduce(const struct bulk *x, uint8_t *to, const uint8_t *from,
                   uint32_t bytes)
{
    const struct detail *t = x->at->detail;
    for (uint32_t at = 0; at + t->size <= bytes; at += t->size) {
        uint64_t value = 0;
        memcpy(&value, from + at, t->size);
        atomic_change(t, to + at, value);
    }
}

/* To shared memory --------------------------------------------------------- */

/* The object that counts the bytes; in the block that they go to. */
static struct mbarrier *object_at(const struct issue *s, uint64_t address,
                                  const struct worker *home)
{
    struct access a;
    struct place p;
    begin(&a, s, &s->info->signal, address, MBARRIER_BYTES);
    if (!locate(&a, s->lane, &p))
        return NULL;
    const struct worker *k = p.peer ? p.peer : s->w->worker;
    if (k != home) {
        misuse(s, "the mbarrier is not in the block that the bytes go to");
        return NULL;
    }
    access_raise(&a);
    return mbarrier_named(&a, s->lane, (struct block *)&home->block);
}

/* *stops: the launch has ended. */
static bool start_shared(const struct issue *s, const struct bulk *like,
                         uint64_t target, uint64_t object, bool *stops)
{
    struct access a;
    struct place p;
    begin(&a, s, &s->i->detail->access, target, s->bytes);
    *stops = !locate(&a, s->lane, &p);
    if (*stops)
        return false;
    struct worker *k = p.peer ? p.peer : s->w->worker;
    a.part = PART_ISSUED;
    access_raise(&a);
    if (!like->reduce && k->pending)
        transfer_accuse(&a, s->lane, k, p.address);
    struct mbarrier *o = object_at(s, object, k);
    if (!o)
        return false;
    struct bulk *x = bulk_new(s->w, s->i, s->lane, s->bytes);
    memcpy(x->data, like->data, s->bytes);
    x->to = k;
    x->target = p.address;
    x->from = like->from;
    x->source = like->source;
    x->reduce = like->reduce;
    x->object = o;
    bulk_start(x);
    o->flying += s->bytes;
    mbarrier_advance(o, mbarrier_waits(o));
    return true;
}

/* The same offset in the block of that rank. */
static uint64_t in_block(const struct access_form *form, uint64_t address,
                         uint32_t rank)
{
    uint64_t window = form->space == PTX_SPACE_GENERIC ? SHARED_WINDOW : 0;
    uint64_t own = (1u << SHARED_RANK) - 1;
    return window + ((address - window) & own) +
           ((uint64_t)(rank + 1) << SHARED_RANK);
}

static bool to_shared(const struct issue *s, const struct bulk *like)
{
    const struct bulk_info *info = s->info;
    uint64_t target = address_of(s, &info->to);
    uint64_t object = address_of(s, &info->object);
    bool stops = false;
    if (!info->multicast) {
        start_shared(s, like, target, object, &stops);
        return !stops;
    }
    uint32_t blocks = (uint32_t)operand(s->w, info->mask, s->lane, false);
    for (uint32_t rest = blocks & 0xffff; rest && !stops; rest &= rest - 1) {
        uint32_t rank = (uint32_t)first_lane(rest);
        start_shared(s, like,
                     in_block(&s->i->detail->access, target, rank),
                     in_block(&info->signal, object, rank), &stops);
    }
    return !stops;
}

/* To global memory --------------------------------------------------------- */

static bool to_global(const struct issue *s, struct bulk *like)
{
    struct access a;
    struct place p;
    uint32_t stamps[LANES];
    for (int l = 0; l < LANES; l++)
        stamps[l] = STAMP_UNDER_WAY;
    begin(&a, s, &s->i->detail->access, address_of(s, &s->info->to), s->bytes);
    if (!locate(&a, s->lane, &p))
        return false;
    a.stamps = stamps;
    access_raise(&a);
    struct bulk *x = bulk_new(s->w, s->i, s->lane, s->bytes);
    memcpy(x->data, like->data, s->bytes);
    x->from = like->from;
    x->source = like->source;
    x->reduce = like->reduce;
    x->group = s->w->bulk_groups[s->lane];
    x->pieces = own_not_null(calloc(1, sizeof *x->pieces));
    x->n_pieces = 1;
    x->pieces[0] = (struct bulk_piece){p.address, 0, s->bytes};
    bulk_start(x);
    return true;
}

static bool copy_lane(const struct issue *s)
{
    struct bulk *like = bulk_new(s->w, s->i, s->lane, s->bytes);
    bool global = s->i->detail->access.space == PTX_SPACE_GLOBAL;
    bool goes_on = size_fits(s) &&
                   read_source(s, like->data, &like->from, &like->source);
    like->reduce = s->info->reduces ? reduce : NULL;
    if (goes_on)
        goes_on = global ? to_global(s, like) : to_shared(s, like);
    free(like->data);
    free(like);
    return goes_on;
}

const struct inst *op_bulk_copy(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    const struct bulk_info *info = i->detail->bulk;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct issue s = {w, i, info, l,
                          (uint32_t)operand(w, info->bytes, l, false)};
        if (!copy_lane(&s))
            return NULL;
    }
    return i + 1;
}

/* Registers to another block's shared memory. */
const struct inst *op_bulk_store(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    const struct detail *t = i->detail;
    const struct bulk_info *info = t->bulk;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct issue s = {w, i, info, l, (uint32_t)t->size * t->n};
        uint8_t data[4 * sizeof(uint64_t)];
        struct bulk like = {.data = data,
                            .reduce = info->reduces ? reduce : NULL};
        for (uint32_t e = 0; e < t->n; e++) {
            uint64_t v = operand(w, t->slot[e], l, t->reg == 8);
            memcpy(data + e * t->size, &v, t->size);
        }
        if (!to_shared(&s, &like))
            return NULL;
    }
    return i + 1;
}

/* Groups ------------------------------------------------------------------- */

const struct inst *op_bulk_commit(struct warp *w, const struct inst *i,
                                  uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->bulk_groups[first_lane(rest)]++;
    return i + 1;
}

/* imm: how many of the last groups may stay under way; p0: only their sources
 * are waited for. */
const struct inst *op_bulk_wait(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    for (struct bulk *x = w->block->bulks; x; x = x->next) {
        if (x->by != w || x->object || !(mask >> x->lane & 1) ||
            x->group + (uint64_t)i->imm >= w->bulk_groups[x->lane])
            continue;
        bulk_read_over(x, 0);
        if (!i->p0)
            bulk_land(x, 0);
    }
    bulks_sweep(w->block);
    return i + 1;
}

/* Its shared memory was still read. */
static void accuse_exit(const struct bulk *x)
{
    struct worker *k = x->by->worker;
    const struct source *s = finding_source(x->function, x->at);
    struct finding f = {.kind = FIND_EXITED, .count = 1,
                        .kernel = k->run->kernel->info.name,
                        .at = {.file = s->file, .line = s->line},
                        .space = PTX_SPACE_SHARED, .address = x->source,
                        .bytes = x->bytes};
    finding_thread(x->by, x->lane, f.at.thread);
    memcpy(f.block, k->block.id, sizeof f.block);
    snprintf(f.detail, sizeof f.detail,
             "the block may have exited while its bulk copy still reads its "
             "shared memory: cp.async.bulk.wait_group.read has to come before");
    found_add(k, &f, k->order);
}

void bulks_finish(struct worker *k)
{
    for (struct bulk *x = k->block.bulks; x; x = x->next) {
        if (x->object)
            continue;
        if (!x->read)
            accuse_exit(x);
        bulk_land(x, 0);
    }
    bulks_sweep(&k->block);
}
