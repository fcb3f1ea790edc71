// SPDX-License-Identifier: MIT
/*
 * mbarrier_object.c: the mbarriers of a block, and when their phases end.
 * Interface: mbarrier_object.h.
 *
 * The hard idea: copies land as late as the program allows. An arrival that
 * cp.async.mbarrier.arrive promised is counted as deferred, and its thread's
 * copies land when somebody waits for the phase and nothing else is missing; so
 * do bulk copies, which count their bytes off.
 * An arrival does not make them land: a thread that arrives once more has to
 * know that the phase is over, and only a wait tells it.
 *
 * try_wait may suspend its thread up to a time limit, which here is reached
 * when nobody in the block can run; a few such rounds without an arrival are a
 * deadlock.
 */
#include "mbarrier_object.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"

/* Rounds of timed-out waits, then a deadlock: a program may try some hundred
 * times and then do something else. */
enum { PATIENCE = 1000 };

struct mbarrier *mbarrier_find(const struct block *b, uint64_t address)
{
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        if (b->mbarriers[n]->live && b->mbarriers[n]->address == address)
            return b->mbarriers[n];
    return NULL;
}

struct mbarrier *mbarrier_take(struct block *b)
{
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        if (!b->mbarriers[n]->live)
            return b->mbarriers[n];
    if (b->n_mbarriers == b->mbarrier_room) {
        b->mbarrier_room = b->mbarrier_room ? 2 * b->mbarrier_room : 8;
        b->mbarriers = own_not_null(realloc(
            b->mbarriers, b->mbarrier_room * sizeof *b->mbarriers));
    }
    struct mbarrier *x = own_not_null(calloc(1, sizeof *x));
    b->mbarriers[b->n_mbarriers++] = x;
    return x;
}

void mbarrier_forget(struct mbarrier *x)
{
    free(x->order.records);
    free(x->deferred);
    *x = (struct mbarrier){.live = false};
}

void mbarriers_reset(struct block *b)
{
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        mbarrier_forget(b->mbarriers[n]);
    b->timeouts = 0;
}

void mbarriers_close(struct block *b)
{
    mbarriers_reset(b);
    for (uint32_t n = 0; n < b->n_mbarriers; n++)
        free(b->mbarriers[n]);
    free(b->mbarriers);
}

struct mbarrier *mbarrier_named(const struct access *a, int lane,
                                struct block *home)
{
    struct finding x = {.space = PTX_SPACE_SHARED, .address = a->addr[lane],
                        .bytes = MBARRIER_BYTES};
    struct mbarrier *o = mbarrier_find(home, a->addr[lane]);
    const uint8_t *bits = home->warps[0].worker->shared_init;
    bool written = false;
    for (uint32_t n = 0; n < MBARRIER_BYTES; n++)
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

bool mbarrier_misuse(const struct access *a, int lane, const char *text)
{
    struct finding x = {.space = PTX_SPACE_SHARED, .address = a->addr[lane],
                        .bytes = MBARRIER_BYTES};
    snprintf(x.detail, sizeof x.detail, "%s", text);
    place_about(a->warp, PTX_SPACE_SHARED, a->addr[lane], &x);
    access_finding(a, lane, FIND_BARRIER, &x);
    fault_raise(a->warp, FAULT_BARRIER);
    return false;
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
                observe_wait(w, n->mask, &x->order, mbarrier_order(n->pc));
            n->state = NODE_RUN;
            n->pc++;
            any = true;
        }
    }
    return any;
}

unsigned mbarrier_order(const struct inst *i)
{
    uint8_t op = i->detail->op;
    return (op & MBARRIER_RELAXED ? ORDER_RELAXED : 0u) |
           (op & MBARRIER_OF_BLOCK ? ORDER_OF_BLOCK : 0u);
}

bool mbarrier_waits(const struct mbarrier *x)
{
    const struct block *b = x->home;
    for (uint32_t k = 0; k < b->n_warps; k++)
        for (const struct node *n = b->warps[k].leaves; n; n = n->next)
            if (n->state == NODE_OBJECT && n->object == x)
                return true;
    return false;
}

/* The copies of some threads, which promised to arrive. */
static void land_promised(struct mbarrier *x, const struct deferral *d)
{
    struct block *b = x->home;
    struct warp *w = &b->warps[d->warp];
    struct transfer *t;
    uint32_t lanes = 0;
    for (t = w->transfers; t && t->serial <= d->serial; t = t->next)
        lanes |= t->mask & d->mask;
    if (!lanes)
        return;
    uint32_t stamp = observe_lands(w, lanes, &x->order);
    for (t = w->transfers; t && t->serial <= d->serial; t = t->next) {
        for (int l = 0; l < LANES; l++)
            t->stamp[l] = stamp;
        t->stamped = true;
        transfer_land(b, t, t->mask & d->mask);
        t->stamped = false;
    }
    transfers_sweep(w);
}

/* What the deferred arrivals and the bytes wait for is there. */
static void settle(struct mbarrier *x)
{
    for (uint32_t n = 0; n < x->n_deferred; n++)
        land_promised(x, &x->deferred[n]);
    for (struct bulk *c = x->home->bulks; c; c = c->next)
        if (c->object == x)
            bulk_land(c, observe_lands(c->by, 1u << c->lane, &x->order));
    bulks_sweep(x->home);
    x->pending -= x->n_promised;
    x->n_promised = x->n_deferred = 0;
    x->bytes -= x->flying;
    x->flying = 0;
}

bool mbarrier_overrun(const struct mbarrier *x)
{
    return x->flying && x->arrived && x->pending == x->n_promised &&
           x->flying > x->bytes;
}

bool mbarrier_lacks_copies(const struct mbarrier *x)
{
    return (x->n_promised || x->flying) && x->pending == x->n_promised &&
           x->arrived && x->bytes == x->flying;
}

/* A phase in which nobody is expected any more (arrive_drop) does not end. */
void mbarrier_advance(struct mbarrier *x, bool late)
{
    if (late && mbarrier_lacks_copies(x))
        settle(x);
    if (x->pending || x->bytes || x->flying || !x->arrived)
        return;
    x->phase++;
    x->looked = false;
    x->home->warps[0].worker->round.changed = true;
    x->pending = x->expected;
    x->arrived = false;
    x->home->timeouts = 0;
    observe_complete(&x->home->warps[0], &x->order);
    wake(x->home, x);
}

/* Nobody can run ----------------------------------------------------------- */

bool mbarriers_unblock(struct block *b)
{
    return b->n_mbarriers && b->timeouts++ < PATIENCE && wake(b, NULL);
}

/* Where the learner initialised it: a line, in another file with its name. */
static const char *name_of(const struct mbarrier *o, const struct node *waits,
                           char *text, size_t n)
{
    struct site x = finding_site(finding_source(o->function, o->at));
    struct site y = finding_site(
        finding_source(waits->frame->function, waits->pc));
    const char *file = x.call_file ? x.call_file : x.file;
    const char *here = y.call_file ? y.call_file : y.file;
    int line = x.call_file ? x.call_line : x.line;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!file || (here && strcmp(file, here) == 0))
        snprintf(text, n, "the mbarrier of line %d", line);
    else
        snprintf(text, n, "the mbarrier of %.40s:%d",
                 slash ? slash + 1 : file, line);
    return text;
}

void mbarrier_describe(const struct node *n, struct finding *x)
{
    char text[64];
    const struct mbarrier *o = n->object;
    const char *name = name_of(o, n, text, sizeof text);
    x->space = PTX_SPACE_SHARED;
    x->address = o->address;
    if (o->bytes > o->flying || (o->bytes && o->pending == o->n_promised))
        snprintf(x->detail, sizeof x->detail,
                 "%s: %lld bytes that were announced never come (copies under "
                 "way bring %lld)", name, (long long)(o->bytes - o->flying),
                 (long long)o->flying);
    else if (!o->expected)
        snprintf(x->detail, sizeof x->detail,
                 "%s: all threads have left it", name);
    else
        snprintf(x->detail, sizeof x->detail,
                 "%s: %u of %u arrivals came; the others never do", name,
                 o->expected - (o->pending - o->n_promised), o->expected);
}
