// SPDX-License-Identifier: MIT
/*
 * mbarrier.c: the instructions of mbarriers. Interface: mbarrier.h.
 *
 * A phase ends when all expected arrivals have come and the bytes that were
 * announced are there (mbarrier_object.c). The object's eight bytes are opaque:
 * its state is the engine's, by its address, and the bytes count as never
 * written, so that a program that reads them is told so, and one that overwrote
 * them is found at the next operation. Threads of other blocks of the cluster
 * may arrive, but not wait.
 */
#include "mbarrier.h"

#include <stdlib.h>

#include "control.h"
#include "load_store.h"
#include "spin.h"
#include "still.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"

/* An operation: addresses are those within the blocks at home. */
struct request {
    struct access a;
    struct block *home[LANES];
};

static struct mbarrier *object_of(const struct request *r, int lane)
{
    return mbarrier_named(&r->a, lane, r->home[lane]);
}

/* Bounds, alignment, and the events. */
static bool begin(struct request *r, struct warp *w, const struct inst *i,
                  uint32_t mask)
{
    struct place places[LANES];
    struct access part[PARTS], *a = &r->a;
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
        r->home[l] =
            places[l].peer ? &places[l].peer->block : w->block;
    }
    a->space = PTX_SPACE_SHARED;
    int n = access_split(a, places, part);
    for (int k = 0; k < n; k++)
        access_raise(&part[k]);
    return true;
}

static bool is_mine(const struct request *r, int lane, const char *what)
{
    char text[96];
    if (r->home[lane] == r->a.warp->block)
        return true;
    snprintf(text, sizeof text, "%s an mbarrier of another block", what);
    return mbarrier_misuse(&r->a, lane, text);
}

/* b: the count. */
const struct inst *op_mbarrier_init(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    struct request r;
    if (!begin(&r, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t count = slot_get(w, i->b, l, 4);
        if (!is_mine(&r, l, "initialises"))
            return NULL;
        if (count < 1 || count > MBARRIER_COUNT_MOST) {
            mbarrier_misuse(&r.a, l, "an mbarrier's count is 1 to 1048575");
            return NULL;
        }
        if (mbarrier_find(w->block, r.a.addr[l])) {
            mbarrier_misuse(&r.a, l, "there is an mbarrier already; "
                                     "mbarrier.inval has to come first");
            return NULL;
        }
        *mbarrier_take(w->block) = (struct mbarrier){
            .home = w->block, .address = (uint32_t)r.a.addr[l], .live = true,
            .expected = (uint32_t)count, .pending = (uint32_t)count, .at = i,
            .function = w->leaf->frame->function};
        bits_clear(w->worker->shared_init, r.a.addr[l], MBARRIER_BYTES);
    }
    return i + 1;
}

const struct inst *op_mbarrier_inval(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    struct request r;
    if (!begin(&r, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct mbarrier *x = object_of(&r, l);
        if (!x)
            continue;
        if (!is_mine(&r, l, "invalidates"))
            return NULL;
        if (mbarrier_waits(x) || x->n_promised || x->flying) {
            mbarrier_misuse(&r.a, l, "the mbarrier is waited for, or copies "
                                     "will arrive at it");
            return NULL;
        }
        mbarrier_forget(x);
    }
    return i + 1;
}

/* Arrivals ----------------------------------------------------------------- */

/* What test_wait compares with: the phase, and what was pending in it. */
static uint64_t token(const struct mbarrier *x)
{
    return (uint64_t)x->phase << 32 | x->pending;
}

/* Lanes of rest that name the object that the first of them does. */
static uint32_t same_object(const struct request *r, uint32_t rest)
{
    int first = first_lane(rest);
    uint32_t same = 0;
    for (; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        same |= (uint32_t)(r->a.addr[l] == r->a.addr[first] &&
                           r->home[l] == r->home[first]) << l;
    }
    return same;
}

/* An arrival in another block, at the scope of its own, orders nothing. */
static void tell_arrivals(const struct request *r, uint8_t op)
{
    const struct warp *w = r->a.warp;
    for (uint32_t rest = r->a.mask; rest;) {
        uint32_t lanes = same_object(r, rest);
        int l = first_lane(rest);
        struct mbarrier *x = mbarrier_find(r->home[l], r->a.addr[l]);
        bool outside = r->home[l] != w->block;
        unsigned how = (op & MBARRIER_RELAXED ? ORDER_RELAXED : 0u) |
                       (outside ? ORDER_OUTSIDE : 0u);
        if (x && !(outside && op & MBARRIER_OF_BLOCK))
            observe_arrives_at(r->a.warp, lanes, &x->order, how);
        rest &= ~lanes;
    }
}

/* count more arrivals of one lane; op: MBARRIER_... Copies may land at any
 * time, so the last arrival but theirs may be what ends the phase. */
static bool arrive(const struct request *r, int lane, struct mbarrier *x,
                   uint64_t count, uint8_t op)
{
    char text[96];
    uint32_t missing = x->pending - x->n_promised;
    if (missing < count) {
        snprintf(text, sizeof text,
                 "%llu arrival%s at an mbarrier that expects %u more in this "
                 "phase", (unsigned long long)count, count == 1 ? "" : "s",
                 missing);
        return mbarrier_misuse(&r->a, lane, text);
    }
    if (op & MBARRIER_INCOMPLETE && missing == count && !x->bytes)
        return mbarrier_misuse(&r->a, lane, "a .noComplete arrival that may "
                                            "be the last of its phase");
    x->expected -= op & MBARRIER_DROP ? (uint32_t)count : 0;
    x->pending -= (uint32_t)count;
    x->arrived = true;
    x->home->timeouts = 0;
    return true;
}

/* All have arrived, and copies bring bytes that nobody will announce. */
static bool overruns(const struct request *r, int lane,
                     const struct mbarrier *x)
{
    char text[128];
    if (!mbarrier_overrun(x))
        return false;
    snprintf(text, sizeof text,
             "all have arrived, and bulk copies bring %lld bytes where %lld "
             "were announced (expect_tx)", (long long)x->flying,
             (long long)x->bytes);
    mbarrier_misuse(&r->a, lane, text);
    return true;
}

/* b: count of arrivals, c: of bytes; d: the token, unless slot[0] is a
 * sink. */
const struct inst *op_mbarrier_arrive(struct warp *w, const struct inst *i,
                                      uint32_t mask)
{
    struct request r;
    uint8_t op = i->detail->op;
    if (!begin(&r, w, i, mask))
        return NULL;
    if (op & MBARRIER_ARRIVE) {
        tell_arrivals(&r, op);
        w->worker->counters.mbarrier_arrivals++;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t count = slot_get(w, i->b, l, 4);
        int64_t bytes = (int64_t)slot_get(w, i->c, l, 4);
        struct mbarrier *x = object_of(&r, l);
        uint64_t state = x ? token(x) : 0;
        if (x && op & MBARRIER_EXPECT)
            x->bytes += bytes;
        if (x && op & MBARRIER_COMPLETE)
            x->bytes -= bytes;
        if (x && op & MBARRIER_ARRIVE && !arrive(&r, l, x, count, op))
            return NULL;
        if (x)
            mbarrier_advance(x, mbarrier_waits(x));
        if (x && overruns(&r, l, x))
            return NULL;
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
        ((uint32_t *)slot(w, i->d))[l] = (uint32_t)slot_get(w, i->a, l, 8);
    }
    return i + 1;
}

static void promise(struct mbarrier *x, struct warp *w, uint32_t lanes)
{
    if (x->n_deferred == x->room) {
        x->room = x->room ? 2 * x->room : MAX_WARPS;
        x->deferred = own_not_null(
            realloc(x->deferred, x->room * sizeof *x->deferred));
    }
    x->deferred[x->n_deferred++] =
        (struct deferral){w->index, lanes, w->block->transfer_serial};
    x->n_promised += (uint32_t)__builtin_popcount(lanes);
    x->arrived = true;
}

/* All copies of these threads so far will arrive; p0: an arrival that the
 * count does not hold. */
const struct inst *op_async_arrive(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    struct request r;
    if (!begin(&r, w, i, mask))
        return NULL;
    for (uint32_t rest = mask; rest;) {
        uint32_t lanes = same_object(&r, rest);
        uint32_t n = (uint32_t)__builtin_popcount(lanes);
        struct mbarrier *x = object_of(&r, first_lane(rest));
        if (!is_mine(&r, first_lane(rest), "copies of this block arrive at"))
            return NULL;
        rest &= ~lanes;
        if (!x)
            continue;
        if (i->p0)
            x->pending += n;
        if (x->pending - x->n_promised < n) {
            mbarrier_misuse(&r.a, first_lane(lanes),
                            "more copies' arrivals than the mbarrier expects "
                            "in this phase");
            return NULL;
        }
        promise(x, w, lanes);
        mbarrier_advance(x, mbarrier_waits(x));
    }
    return i + 1;
}

/* Waits -------------------------------------------------------------------- */

/* Has the phase that lane l asks for ended? b: a token, or (p0) a parity. */
static bool has_ended(const struct warp *w, const struct inst *i, int l,
                      const struct mbarrier *x)
{
    if (i->p0)
        return (x->phase & 1) != (slot_get(w, i->b, l, 4) & 1);
    return slot_get(w, i->b, l, 8) >> 32 != x->phase;
}

/* Of the current phase, or of the one before it? */
static bool is_recent(const struct request *r, const struct inst *i, int l,
                      const struct mbarrier *x)
{
    uint64_t token = i->p0 ? 0 : slot_get(r->a.warp, i->b, l, 8);
    char text[128];
    if (i->p0 || x->phase - (uint32_t)(token >> 32) < 2)
        return true;
    snprintf(text, sizeof text, "waits for a phase after which another has "
             "ended, too: do more threads arrive than it counts (%u)?",
             x->expected);
    return mbarrier_misuse(&r->a, l, text);
}

static void tell_waits(const struct request *r, const struct inst *i,
                       uint32_t ended)
{
    for (uint32_t rest = ended; rest;) {
        uint32_t lanes = same_object(r, rest);
        int l = first_lane(rest);
        struct mbarrier *x = mbarrier_find(r->home[l], r->a.addr[l]);
        if (x)
            observe_wait(r->a.warp, lanes, &x->order, mbarrier_order(i));
        rest &= ~lanes;
    }
}

/* The first test_wait that could end a phase comes before its copies: so a
 * program that does not ask again reads what is not there. try_wait may wait
 * for them. */
static bool is_too_early(const struct inst *i, struct mbarrier *x)
{
    bool first = !i->p1 && !x->looked && mbarrier_lacks_copies(x);
    x->looked |= first;
    return first;
}

/* The lanes whose phase has ended; *all: the object that each of them names,
 * or NULL. -1: the launch has ended. */
static int64_t ask(const struct request *r, const struct inst *i,
                   struct mbarrier **all)
{
    struct warp *w = r->a.warp;
    uint32_t ended = 0, early = 0;
    bool alike = true;
    *all = NULL;
    for (uint32_t rest = r->a.mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct mbarrier *x = object_of(r, l);
        if (!is_mine(r, l, "waits for"))
            return -1;
        if (!x) { /* said; whoever waited for it would wait for ever */
            ended |= 1u << l;
            alike = false;
            continue;
        }
        if (!has_ended(w, i, l, x) && is_too_early(i, x))
            early |= same_object(r, rest);
        if (!has_ended(w, i, l, x) && !(early >> l & 1))
            mbarrier_advance(x, true);
        if (overruns(r, l, x) || !is_recent(r, i, l, x))
            return -1;
        if (has_ended(w, i, l, x))
            ended |= 1u << l;
        alike &= !*all || *all == x;
        *all = x;
    }
    *all = alike ? *all : NULL;
    tell_waits(r, i, ended);
    return ended;
}

/* p1: try_wait, which may wait. */
const struct inst *op_mbarrier_wait(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    struct request r;
    struct mbarrier *all;
    if (!begin(&r, w, i, mask))
        return NULL;
    int64_t ended = ask(&r, i, &all);
    if (ended < 0)
        return NULL;
    if (ended || !all || !i->p1) {
        uint32_t *d = slot(w, i->d);
        *d = (*d & ~mask) | (uint32_t)ended;
        if ((uint32_t)ended != mask) {
            spin_look(w, i, access_key(&r.a));
            warp_note_poll(w);
            if (still_asked(w)) {
                still_look(w, &r.a);
                w->worker->still.tests = true;
            }
        }
        return i + 1;
    }
    leaf_block(w, i, mask, NODE_OBJECT);
    w->leaf->object = all;
    w->leaf->phase = all->phase;
    return leaf_choose(w);
}

/* It may come back at once, so it does, and nobody has waited. */
const struct inst *op_mbarrier_glance(struct warp *w, const struct inst *i,
                                      uint32_t mask)
{
    struct request r;
    return begin(&r, w, i, mask) ? i + 1 : NULL;
}
