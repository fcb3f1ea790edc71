// SPDX-License-Identifier: MIT
/*
 * bulk_issue.c: the beginning of every bulk copy. Interface: bulk_issue.h.
 *
 * A write to shared memory is looked at twice: when it is issued it must be
 * ordered behind what others did there, and when it lands it is what others
 * must be ordered behind.
 */
#include "bulk_issue.h"

#include <string.h>

#include "mbarrier_object.h"
#include "move.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/state/finding.h"

uint64_t bulk_operand(const struct bulk_issue *s, uint32_t at, bool wide)
{
    const void *x = slot(s->w, at);
    return wide ? ((const uint64_t *)x)[s->lane]
                : ((const uint32_t *)x)[s->lane];
}

uint64_t bulk_address_of(const struct bulk_issue *s,
                         const struct bulk_address *a)
{
    uint64_t address = bulk_operand(s, a->slot, a->wide) + (uint64_t)a->imm;
    return a->wide ? address : (uint32_t)address;
}

void bulk_begin(struct access *a, const struct bulk_issue *s,
                const struct access_form *form, uint64_t address,
                uint32_t bytes)
{
    access_init(a, s->w, s->i, form, form->space, 1u << s->lane);
    a->bytes = bytes;
    for (int l = 0; l < LANES; l++)
        a->addr[l] = address;
}

bool bulk_locate(struct access *a, int lane, struct place *p)
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

static void misuse(const struct bulk_issue *s, const char *text)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail, "%s", text);
    finding_add(s->w, s->i, s->lane, FIND_BARRIER, &x);
    fault_raise(s->w, FAULT_BARRIER);
}

void bulk_raise(const struct access *a, const struct bulk_pieces *pieces,
                uint64_t base, uint8_t part, uint32_t stamp)
{
    uint32_t stamps[LANES];
    struct access each = *a;
    each.part = part;
    each.stamps = stamps;
    for (int l = 0; l < LANES; l++)
        stamps[l] = stamp;
    for (uint32_t n = 0; n < pieces->n; n++) {
        each.bytes = pieces->list[n].bytes;
        for (int l = 0; l < LANES; l++)
            each.addr[l] = base + pieces->list[n].address;
        access_facts(&each);
        access_raise(&each);
    }
}

/* Element by element, each of them atomically. */
void bulk_reduce(const struct bulk *x, uint8_t *to, const uint8_t *from,
                 uint32_t bytes)
{
    const struct detail *t = x->how;
    for (uint32_t at = 0; at + t->size <= bytes; at += t->size) {
        uint64_t value = 0;
        memcpy(&value, from + at, t->size);
        atomic_change(t, to + at, value);
    }
}

/* The same copy, with pieces and data of its own. */
static struct bulk *copy_of(const struct bulk_issue *s, const struct bulk *like,
                            uint64_t base)
{
    uint32_t room = 0;
    const struct bulk_pieces *to = &like->target, *from = &like->source;
    for (uint32_t n = 0; n < to->n; n++) {
        uint32_t end = to->list[n].at + to->list[n].bytes;
        room = end > room ? end : room;
    }
    struct bulk *x = bulk_new(s->w, s->i, s->lane, room);
    memcpy(x->data, like->data, room);
    x->bytes = like->bytes;
    x->from = like->from;
    x->reduce = like->reduce;
    x->how = like->how;
    for (uint32_t n = 0; n < to->n; n++)
        bulk_add(&x->target, base + to->list[n].address, to->list[n].at,
                 to->list[n].bytes);
    for (uint32_t n = 0; n < from->n; n++)
        bulk_add(&x->source, from->list[n].address, from->list[n].at,
                 from->list[n].bytes);
    return x;
}

/* To shared memory --------------------------------------------------------- */

/* The object that counts the bytes; in the block that they go to. */
static struct mbarrier *object_at(const struct bulk_issue *s, uint64_t address,
                                  const struct worker *home)
{
    struct access a;
    struct place p;
    bulk_begin(&a, s, &s->info->signal, address, MBARRIER_BYTES);
    if (!bulk_locate(&a, s->lane, &p))
        return NULL;
    const struct worker *k = p.peer ? p.peer : s->w->worker;
    if (k != home) {
        misuse(s, "the mbarrier is not in the block that the bytes go to");
        return NULL;
    }
    access_raise(&a);
    return mbarrier_named(&a, s->lane, (struct block *)&home->block);
}

/* Accuses it of overwriting bytes that another one is to bring, or still
 * reads. */
static void accuse_pending(const struct access *a, const struct bulk *x)
{
    struct access each = *a;
    bool accused = false;
    for (uint32_t n = 0; n < x->target.n && !accused; n++) {
        each.bytes = x->target.list[n].bytes;
        accused = transfer_accuse(&each, x->lane, x->to,
                                  x->target.list[n].address);
    }
    if (!accused)
        bulk_accuse_copy(a, x->lane, x);
}

/* false: the launch has ended. */
static bool start_shared(const struct bulk_issue *s, const struct bulk *like,
                         uint64_t target, uint64_t object)
{
    struct access a;
    struct place p;
    bulk_begin(&a, s, &s->i->detail->access, target, s->bytes);
    if (!bulk_locate(&a, s->lane, &p))
        return false;
    struct worker *k = p.peer ? p.peer : s->w->worker;
    bulk_raise(&a, &like->target, p.address, PART_ISSUED, 0);
    struct mbarrier *o = object_at(s, object, k);
    if (!o)
        return true; /* said */
    struct bulk *x = copy_of(s, like, p.address);
    x->to = k;
    x->object = o;
    if (k->pending)
        accuse_pending(&a, x);
    bulk_start(x);
    o->flying += x->bytes;
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

/* A warp that has multiplied loads, too; group.c counts those before. */
static void count_load(struct warp *w)
{
    w->bulk_loads++;
    if (run_of(w)->checks & CHECK_COUNTERS && w->product.n)
        w->worker->counters.loads_by_multipliers++;
}

bool bulk_to_shared(const struct bulk_issue *s, const struct bulk *like)
{
    const struct bulk_info *info = s->info;
    uint64_t target = bulk_address_of(s, &info->to);
    uint64_t object = bulk_address_of(s, &info->object);
    bool goes_on = true;
    count_load(s->w);
    if (!info->multicast)
        return start_shared(s, like, target, object);
    uint32_t blocks = (uint32_t)bulk_operand(s, info->mask, false);
    for (uint32_t rest = blocks & 0xffff; rest && goes_on; rest &= rest - 1) {
        uint32_t rank = (uint32_t)first_lane(rest);
        goes_on = start_shared(s, like,
                               in_block(&s->i->detail->access, target, rank),
                               in_block(&info->signal, object, rank));
    }
    return goes_on;
}

/* To global memory --------------------------------------------------------- */

/* Each piece has to lie in one allocation. */
bool bulk_to_global(const struct bulk_issue *s, const struct bulk *like)
{
    const struct bulk_pieces *to = &like->target;
    for (uint32_t n = 0; n < to->n; n++) {
        struct access a;
        struct place p;
        struct bulk_piece one = {0, 0, to->list[n].bytes};
        bulk_begin(&a, s, &s->i->detail->access, to->list[n].address,
                   to->list[n].bytes);
        if (!bulk_locate(&a, s->lane, &p))
            return false;
        bulk_raise(&a, &(struct bulk_pieces){&one, 1}, p.address, PART_WHOLE,
                   STAMP_UNDER_WAY);
    }
    struct bulk *x = copy_of(s, like, 0);
    x->group = s->w->bulk_groups[s->lane];
    bulk_start(x);
    return true;
}
