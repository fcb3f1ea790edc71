// SPDX-License-Identifier: MIT
/*
 * mbarrier.c: barriers that are objects in shared memory. Interface:
 * mbarrier.h.
 *
 * A phase ends when all expected arrivals have come and the bytes that were
 * announced are there. The object's eight bytes are opaque: its state is here,
 * by its address, and the bytes count as never written, so that a program that
 * reads them is told so, and one that overwrote them is found at the next
 * operation.
 *
 * The hard idea: copies land as late as the program allows. An arrival that
 * cp.async.mbarrier.arrive promised is counted as deferred, and its thread's
 * copies land when somebody waits for the phase and nothing else is missing.
 * An arrival does not make them land: a thread that arrives once more has to
 * know that the phase is over, and only a wait tells it.
 *
 * try_wait may suspend its thread up to a time limit, which here is reached
 * when nobody in the block can run; a few such rounds without an arrival are a
 * deadlock.
 */
#include "mbarrier.h"

#include <stdlib.h>

#include "control.h"
#include "load_store.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/state/finding.h"

enum {
    BYTES = 8,         /* PTX ISA: mbarrier, .b64 */
    COUNT_MOST = (1 << 20) - 1,
    PATIENCE = 16,     /* rounds of timed-out waits, then a deadlock */
};

/* Arrivals that copies under way will make. */
struct deferral {
    uint32_t warp, mask;
    uint64_t serial;   /* of the last transfer they wait for */
};

struct mbarrier {
    uint32_t address;
    bool live;
    uint32_t expected;  /* arrivals per phase */
    uint32_t pending;   /* in this one, deferred ones included */
    bool arrived;       /* somebody has, in this one */
    uint32_t phase;     /* how many have ended */
    int64_t bytes;      /* announced and not there */
    struct deferral *deferred;
    uint32_t n_deferred, room;
    uint32_t n_promised; /* arrivals of all deferrals */
    const struct inst *at; /* its initialisation */
    const struct function *function;
    struct object_order order;
};

/* Objects ------------------------------------------------------------------ */

static struct mbarrier *find(const struct block *b, uint64_t address)
{
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        if (b->mbarriers[n]->live && b->mbarriers[n]->address == address)
            return b->mbarriers[n];
    return NULL;
}

/* One that is not live, or a new one. */
static struct mbarrier *take(struct block *b)
{
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        if (!b->mbarriers[n]->live)
            return b->mbarriers[n];
    if (b->n_mbarriers == b->mbarrier_room) {
        b->mbarrier_room = b->mbarrier_room ? 2 * b->mbarrier_room : 8;
        b->mbarriers = realloc(b->mbarriers, b->mbarrier_room *
                                                 sizeof *b->mbarriers);
    }
    struct mbarrier *x = calloc(1, sizeof *x);
    if (!b->mbarriers || !x)
        abort();
    b->mbarriers[b->n_mbarriers++] = x;
    return x;
}

static void forget(struct mbarrier *x)
{
    free(x->order.records);
    free(x->deferred);
    *x = (struct mbarrier){.live = false};
}

void mbarriers_reset(struct block *b)
{
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        forget(b->mbarriers[n]);
    b->timeouts = 0;
}

void mbarriers_close(struct block *b)
{
    mbarriers_reset(b);
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        free(b->mbarriers[n]);
    free(b->mbarriers);
}

static bool misuse(const struct access *a, int lane, const char *text)
{
    struct finding x = {.space = PTX_SPACE_SHARED, .address = a->addr[lane],
                        .bytes = BYTES};
    snprintf(x.detail, sizeof x.detail, "%s", text);
    access_finding(a, lane, FIND_DEADLOCK, &x);
    fault_raise(a->warp, FAULT_DEADLOCK);
    return false;
}

/* The object that lane names; NULL after a finding. */
static struct mbarrier *object_of(const struct access *a, int lane)
{
    struct finding x = {.space = PTX_SPACE_SHARED, .address = a->addr[lane],
                        .bytes = BYTES};
    struct mbarrier *o = find(a->warp->block, a->addr[lane]);
    const uint8_t *bits = a->warp->worker->shared_init;
    bool written = false;
    for (uint32_t n = 0; n < BYTES; n++)
        written |= bits_all(bits, a->addr[lane] + n, 1);
    if (o && !written)
        return o;
    place_about(a->warp, PTX_SPACE_SHARED, a->addr[lane], &x);
    snprintf(x.detail, sizeof x.detail, "%s",
             o ? "an mbarrier that a store has overwritten"
               : "no mbarrier was initialised there");
    access_finding(a, lane, FIND_UNINITIALISED, &x);
    return NULL;
}

/* Bounds, alignment, and the event. Addresses are shared ones after. */
static bool begin(struct access *a, struct warp *w, const struct inst *i,
                  uint32_t mask)
{
    struct place places[LANES];
    access_begin(a, w, i, mask);
    if (!access_places(a, places))
        return false;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (places[l].space != PTX_SPACE_SHARED) {
            op_unsupported(w, i, mask);
            return false;
        }
        a->addr[l] = places[l].address;
    }
    a->space = PTX_SPACE_SHARED;
    access_facts(a);
    access_raise(a);
    return true;
}

/* Phases ------------------------------------------------------------------- */

/* Leaves that wait for a phase of x that has ended, or (x NULL) all of them,
 * whose time limit is reached, go on. */
static bool wake(struct block *b, struct mbarrier *x)
{
    bool any = false;
    for (uint32_t k = 0; k < b->n_warps; k++) {
        struct warp *w = &b->warps[k];
        for (struct node *n = w->leaves; n; n = n->next) {
            if (n->state != NODE_OBJECT ||
                (x && (n->object != x || n->phase == x->phase)))
                continue;
            uint32_t *d = (uint32_t *)(n->frame->regs + n->pc->d);
            *d = (*d & ~n->mask) | (x ? n->mask : 0);
            if (x)
                observe_wait(w, &x->order);
            n->state = NODE_RUN;
            n->pc++;
            any = true;
        }
    }
    return any;
}

static bool anybody_waits(const struct block *b, const struct mbarrier *x)
{
    for (uint32_t k = 0; k < b->n_warps; k++)
        for (const struct node *n = b->warps[k].leaves; n; n = n->next)
            if (n->state == NODE_OBJECT && n->object == x)
                return true;
    return false;
}

/* What the deferred arrivals wait for is there. */
static void settle(struct block *b, struct mbarrier *x)
{
    for (uint32_t n = 0; n < x->n_deferred; n++) {
        const struct deferral *d = &x->deferred[n];
        for (struct transfer *t = b->transfers; t; t = t->next)
            if (t->warp == d->warp && t->serial <= d->serial)
                transfer_land(b, t, t->mask & d->mask);
    }
    transfers_sweep(b);
    x->pending -= x->n_promised;
    x->n_promised = x->n_deferred = 0;
}

/* Ends the phase if nothing is missing; late: nor anything but copies. A phase
 * in which nobody is expected any more (arrive_drop) does not end. */
static void advance(struct block *b, struct mbarrier *x, bool late)
{
    if (late && x->n_promised && x->pending == x->n_promised && x->bytes == 0)
        settle(b, x);
    if (x->pending || x->bytes || !x->arrived)
        return;
    x->phase++;
    x->pending = x->expected;
    x->arrived = false;
    b->timeouts = 0;
    observe_complete(&b->warps[0], &x->order);
    wake(b, x);
}

/* count more arrivals of one lane; op: MBARRIER_... Copies may land at any
 * time, so the last arrival but theirs may be what ends the phase. */
static bool arrive(const struct access *a, int lane, struct mbarrier *x,
                   uint64_t count, uint8_t op)
{
    char text[96];
    uint32_t missing = x->pending - x->n_promised;
    if (missing < count) {
        snprintf(text, sizeof text,
                 "%llu arrivals at an mbarrier that expects %u more in this "
                 "phase", (unsigned long long)count, missing);
        return misuse(a, lane, text);
    }
    if (op & MBARRIER_INCOMPLETE && missing == count && !x->bytes)
        return misuse(a, lane, "a .noComplete arrival that may be the last "
                               "of its phase");
    x->expected -= op & MBARRIER_DROP ? (uint32_t)count : 0;
    x->pending -= (uint32_t)count;
    x->arrived = true;
    a->warp->block->timeouts = 0;
    return true;
}

/* Operations --------------------------------------------------------------- */

static uint64_t operand(const struct warp *w, uint32_t at, int l, int bytes)
{
    return bytes == 8 ? ((uint64_t *)slot(w, at))[l]
                      : ((uint32_t *)slot(w, at))[l];
}

/* b: the count. */
const struct inst *op_mbarrier_init(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    struct access a;
    if (!begin(&a, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t count = operand(w, i->b, l, 4);
        struct mbarrier *x = find(w->block, a.addr[l]);
        if (count < 1 || count > COUNT_MOST) {
            misuse(&a, l, "an mbarrier's count is 1 to 1048575");
            return NULL;
        }
        if (x) {
            misuse(&a, l, "there is an mbarrier already; mbarrier.inval has "
                          "to come first");
            return NULL;
        }
        x = take(w->block);
        *x = (struct mbarrier){.address = (uint32_t)a.addr[l], .live = true,
                               .expected = (uint32_t)count,
                               .pending = (uint32_t)count, .at = i,
                               .function = w->leaf->frame->function};
        bits_clear(w->worker->shared_init, a.addr[l], BYTES);
    }
    return i + 1;
}

const struct inst *op_mbarrier_inval(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    struct access a;
    if (!begin(&a, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct mbarrier *x = object_of(&a, l);
        if (!x)
            continue;
        if (anybody_waits(w->block, x) || x->n_promised) {
            misuse(&a, l, "the mbarrier is waited for, or copies will arrive "
                          "at it");
            return NULL;
        }
        forget(x);
    }
    return i + 1;
}

/* What test_wait compares with: the phase, and what was pending in it. */
static uint64_t token(const struct mbarrier *x)
{
    return (uint64_t)x->phase << 32 | x->pending;
}

/* Lanes of rest that name the object that the first of them does. */
static uint32_t same_object(const struct access *a, uint32_t rest)
{
    uint64_t address = a->addr[first_lane(rest)];
    uint32_t same = 0;
    for (; rest; rest &= rest - 1)
        same |= (uint32_t)(a->addr[first_lane(rest)] == address)
                << first_lane(rest);
    return same;
}

static void tell_arrivals(const struct access *a)
{
    for (uint32_t rest = a->mask; rest;) {
        uint32_t lanes = same_object(a, rest);
        struct mbarrier *x = find(a->warp->block, a->addr[first_lane(rest)]);
        if (x)
            observe_arrives_at(a->warp, lanes, &x->order);
        rest &= ~lanes;
    }
}

/* b: count of arrivals, c: of bytes; d: the token, unless slot[0] is a
 * sink. */
const struct inst *op_mbarrier_arrive(struct warp *w, const struct inst *i,
                                      uint32_t mask)
{
    struct access a;
    uint8_t op = i->detail->op;
    if (!begin(&a, w, i, mask))
        return NULL;
    if (op & MBARRIER_ARRIVE)
        tell_arrivals(&a);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t count = operand(w, i->b, l, 4);
        int64_t bytes = (int64_t)operand(w, i->c, l, 4);
        struct mbarrier *x = object_of(&a, l);
        uint64_t state = x ? token(x) : 0;
        if (x && op & MBARRIER_EXPECT)
            x->bytes += bytes;
        if (x && op & MBARRIER_COMPLETE)
            x->bytes -= bytes;
        if (x && op & MBARRIER_ARRIVE && !arrive(&a, l, x, count, op))
            return NULL;
        if (x)
            advance(w->block, x, anybody_waits(w->block, x));
        if (i->detail->slot[0] != NO_SLOT)
            ((uint64_t *)slot(w, i->detail->slot[0]))[l] = state;
    }
    return i + 1;
}

const struct inst *op_mbarrier_count(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        ((uint32_t *)slot(w, i->d))[l] = (uint32_t)operand(w, i->a, l, 8);
    }
    return i + 1;
}

/* Has the phase that lane l asks for ended? b: a token, or (p0) a parity. */
static bool has_ended(const struct warp *w, const struct inst *i, int l,
                      const struct mbarrier *x)
{
    if (i->p0)
        return (x->phase & 1) != (operand(w, i->b, l, 4) & 1);
    return operand(w, i->b, l, 8) >> 32 != x->phase;
}

/* p1: try_wait, which may wait. */
const struct inst *op_mbarrier_wait(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    struct access a;
    struct mbarrier *all = NULL;
    uint32_t ended = 0;
    bool alike = true;
    if (!begin(&a, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct mbarrier *x = object_of(&a, l);
        if (!x) { /* said; whoever waited for it would wait for ever */
            ended |= 1u << l;
            alike = false;
            continue;
        }
        if (!has_ended(w, i, l, x))
            advance(w->block, x, true);
        if (has_ended(w, i, l, x)) {
            observe_wait(w, &x->order);
            ended |= 1u << l;
        }
        alike &= !all || all == x;
        all = x;
    }
    if (ended || !alike || !i->p1) {
        uint32_t *d = slot(w, i->d);
        *d = (*d & ~mask) | ended;
        if (ended != mask)
            warp_note_poll(w);
        return i + 1;
    }
    leaf_block(w, i, mask, NODE_OBJECT);
    w->leaf->object = all;
    w->leaf->phase = all->phase;
    return leaf_choose(w);
}

static void promise(struct mbarrier *x, struct warp *w, uint32_t lanes)
{
    struct block *b = w->block;
    uint32_t stamp = observe_defers(w, lanes, &x->order);
    if (x->n_deferred == x->room) {
        x->room = x->room ? 2 * x->room : MAX_WARPS;
        x->deferred = realloc(x->deferred, x->room * sizeof *x->deferred);
        if (!x->deferred)
            abort();
    }
    x->deferred[x->n_deferred++] =
        (struct deferral){w->index, lanes, b->transfer_serial};
    x->n_promised += (uint32_t)__builtin_popcount(lanes);
    x->arrived = true;
    for (struct transfer *t = b->transfers; t; t = t->next)
        for (uint32_t rest = t->warp == w->index ? t->mask & lanes : 0; rest;
             rest &= rest - 1)
            if (!t->stamp[first_lane(rest)])
                t->stamp[first_lane(rest)] = stamp;
}

/* All copies of these threads so far will arrive; p0: an arrival that the
 * count does not hold. */
const struct inst *op_async_arrive(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    struct access a;
    if (!begin(&a, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest;) {
        uint32_t lanes = same_object(&a, rest);
        uint32_t n = (uint32_t)__builtin_popcount(lanes);
        struct mbarrier *x = object_of(&a, first_lane(rest));
        rest &= ~lanes;
        if (!x)
            continue;
        if (i->p0)
            x->pending += n;
        if (x->pending - x->n_promised < n) {
            misuse(&a, first_lane(lanes),
                   "more copies' arrivals than the mbarrier expects in this "
                   "phase");
            return NULL;
        }
        promise(x, w, lanes);
        advance(w->block, x, anybody_waits(w->block, x));
    }
    return i + 1;
}

/* Nobody can run ----------------------------------------------------------- */

bool mbarriers_unblock(struct block *b)
{
    return b->n_mbarriers && b->timeouts++ < PATIENCE && wake(b, NULL);
}

void mbarrier_describe(const struct node *n, struct finding *x)
{
    const struct mbarrier *o = n->object;
    const struct source *s = finding_source(o->function, o->at);
    x->space = PTX_SPACE_SHARED;
    x->address = o->address;
    if (o->bytes)
        snprintf(x->detail, sizeof x->detail,
                 "the mbarrier of line %d: %lld bytes that were announced "
                 "never come", s->line, (long long)o->bytes);
    else if (!o->expected)
        snprintf(x->detail, sizeof x->detail,
                 "the mbarrier of line %d: all threads have left it", s->line);
    else
        snprintf(x->detail, sizeof x->detail,
                 "the mbarrier of line %d: %u of %u arrivals came; the others "
                 "never do", s->line,
                 o->expected - (o->pending - o->n_promised), o->expected);
}
