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

#include "bulk_issue.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/state/finding.h"

enum { UNIT = 16 }; /* bytes: of addresses and sizes; PTX ISA, cp.async.bulk */

static bool size_fits(const struct bulk_issue *s)
{
    struct finding x = {0};
    if (s->bytes % UNIT == 0)
        return true;
    snprintf(x.detail, sizeof x.detail,
             "a bulk copy of %u bytes: the size has to be a multiple of 16",
             s->bytes);
    finding_add(s->w, s->i, s->lane, FIND_MISALIGNED, &x);
    fault_raise(s->w, FAULT_MISALIGNED);
    return false;
}

/* Reads the source into x->data. */
static bool read_source(const struct bulk_issue *s, struct bulk *x)
{
    struct access a;
    struct place places[LANES];
    bulk_begin(&a, s, &s->info->source, bulk_address_of(s, &s->info->from),
               s->bytes);
    if (!bulk_locate(&a, s->lane, &places[s->lane]))
        return false;
    struct place *p = &places[s->lane];
    bool shared = p->space == PTX_SPACE_SHARED;
    values_read(&a, places);
    memcpy(x->data, p->host, s->bytes);
    x->from = shared ? s->w->worker : NULL;
    bulk_add(&x->source, p->address, 0, s->bytes);
    a.part = shared ? PART_ISSUED : PART_WHOLE;
    access_raise(&a);
    return true;
}

static bool copy_lane(const struct bulk_issue *s)
{
    struct bulk *like = bulk_new(s->w, s->i, s->lane, s->bytes);
    bool global = s->i->detail->access.space == PTX_SPACE_GLOBAL;
    bool goes_on = size_fits(s) && read_source(s, like);
    like->reduce = s->info->reduces ? bulk_reduce : NULL;
    like->how = s->i->detail;
    bulk_add(&like->target, global ? bulk_address_of(s, &s->info->to) : 0, 0,
             s->bytes);
    if (goes_on)
        goes_on = global ? bulk_to_global(s, like) : bulk_to_shared(s, like);
    bulk_drop(like);
    return goes_on;
}

const struct inst *op_bulk_copy(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    const struct bulk_info *info = i->detail->bulk;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct bulk_issue s = {w, i, info, first_lane(rest), 0};
        s.bytes = (uint32_t)bulk_operand(&s, info->bytes, false);
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
    uint32_t bytes = (uint32_t)t->size * t->n;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct bulk_issue s = {w, i, t->bulk, first_lane(rest), bytes};
        struct bulk *like = bulk_new(w, i, s.lane, bytes);
        like->reduce = t->bulk->reduces ? bulk_reduce : NULL;
        like->how = t;
        bulk_add(&like->target, 0, 0, bytes);
        for (uint32_t e = 0; e < t->n; e++) {
            uint64_t v = bulk_operand(&s, t->slot[e], t->reg == 8);
            memcpy(like->data + e * t->size, &v, t->size);
        }
        bool goes_on = bulk_to_shared(&s, like);
        bulk_drop(like);
        if (!goes_on)
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
        if (x->by != w || x->object || x->product || !(mask >> x->lane & 1) ||
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
    struct finding f = {.kind = FIND_EXITED, .count = 1,
                        .kernel = k->run->kernel->info.name,
                        .at = finding_site(finding_source(x->function,
                                                          x->at)),
                        .space = PTX_SPACE_SHARED,
                        .address = x->source.list[0].address,
                        .bytes = x->bytes};
    place_about(x->by, PTX_SPACE_SHARED, f.address, &f);
    finding_thread(x->by, x->lane, f.at.thread);
    memcpy(f.block, k->block.id, sizeof f.block);
    snprintf(f.detail, sizeof f.detail, "%s",
             x->product
                 ? "the block may have exited while wgmma still reads its "
                   "shared memory: wgmma.wait_group has to come before"
                 : "the block may have exited while its bulk copy still reads "
                   "its shared memory: cp.async.bulk.wait_group.read has to "
                   "come before");
    found_add(k, &f, k->order);
}

void bulks_finish(struct worker *k)
{
    for (struct bulk *x = k->block.bulks; x; x = x->next) {
        if (x->object)
            continue;
        if (!x->read && x->source.n)
            accuse_exit(x);
        bulk_land(x, 0);
    }
    bulks_sweep(&k->block);
}
