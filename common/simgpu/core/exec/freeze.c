// SPDX-License-Identifier: MIT
/* freeze.c: see freeze.h. */
#include "freeze.h"

#include "simgpu/core/state/observe.h"
#include "simgpu/host/threads.h"

enum {
    LEAST = 64,     /* rounds of polling until the clock stops; twice as many */
    VAIN = 8,       /* when it did so in vain, up to so many times */
    PATIENCE = 300, /* rounds per block for which it stands still, at most */
};

/* Nanoseconds, or clocks. In 32 bits, signed or not, the sum of the first six
 * does not come round to where it began. */
static const uint64_t leaps[] = {
    7001, 1500007, 90000001, 800000003, 1200000011, 2000000021,
    3600000000007, 1000000000000037, /* an hour, eleven days */
};
enum { LEAPS = sizeof leaps / sizeof *leaps };

uint64_t freeze_host(const struct engine *e)
{
    return host_nanoseconds() + atomic_load_explicit(&e->leapt,
                                                     memory_order_relaxed);
}

static uint64_t now(const struct engine *e)
{
    uint64_t at = freeze_host(e);
    return at > e->clock ? at : e->clock;
}

/* Its changes are odd while the clock stops or goes on, so that nobody sees it
 * go back. */
uint64_t freeze_clock(struct warp *w)
{
    struct run *r = run_of(w);
    struct run_time *t = &r->time;
    unsigned changes;
    uint64_t at;
    bool frozen;
    if (!atomic_load_explicit(&t->read, memory_order_relaxed))
        atomic_store(&t->read, true);
    do {
        changes = atomic_load(&t->changes);
        frozen = atomic_load(&t->frozen);
        at = frozen ? atomic_load(&t->at) : now(r->engine);
    } while (changes & 1 || changes != atomic_load(&t->changes));
    if (frozen)
        w->still.looked = true;
    return at;
}

static void set_frozen(struct run *r, bool frozen)
{
    struct run_time *t = &r->time;
    atomic_fetch_add(&t->changes, 1);
    if (frozen)
        atomic_store(&t->at, now(r->engine));
    atomic_store(&t->rounds, 0);
    atomic_store(&t->frozen, frozen);
    atomic_fetch_add(&t->changes, 1);
}

void freeze_begin(struct run *r)
{
    lock_take(r->out);
    if (!atomic_load(&r->time.frozen)) {
        atomic_store(&r->time.read, false);
        set_frozen(r, true);
    }
    lock_leave(r->out);
}

static void thaw(struct run *r)
{
    struct run_time *t = &r->time;
    lock_take(r->out);
    if (atomic_load(&t->frozen)) {
        set_frozen(r, false);
        atomic_fetch_add(&t->vain, 1);
        t->leaps = false;
        t->leapt = 0;
    }
    lock_leave(r->out);
}

/* Rounds of polling until the clock stops. */
static unsigned needed(const struct run *r)
{
    unsigned vain = atomic_load_explicit(&r->time.vain, memory_order_relaxed);
    return LEAST << (vain < VAIN ? vain : VAIN);
}

/* This block has polled for long, and a clock that can be stopped was read. */
static bool may_freeze(const struct worker *k)
{
    const struct run *r = k->run;
    unsigned waits = atomic_load_explicit(&k->waits, memory_order_relaxed);
    return atomic_load_explicit(&r->time.read, memory_order_relaxed) &&
           waits >= needed(r) && waits % LEAST == 0 &&
           !(r->traffic && r->traffic->now);
}

unsigned freeze_round(struct worker *k, uint64_t did)
{
    struct run *r = k->run;
    struct run_time *t = &r->time;
    bool changed = did != k->still.done;
    k->still.done = did;
    if (changed)
        atomic_store(&t->tried, false);
    if (!atomic_load(&t->frozen))
        return may_freeze(k) ? needed(r) : 0;
    if (changed || atomic_fetch_add(&t->rounds, 1) >
                       PATIENCE * atomic_load(&r->opened))
        thaw(r);
    return 0;
}

bool freeze_timed(const struct run *r)
{
    const struct run_time *t = &r->time;
    return atomic_load(&t->frozen) && atomic_load(&t->read) &&
           !atomic_load(&t->tried);
}

bool freeze_leap(struct run *r)
{
    struct run_time *t = &r->time;
    if (t->leapt == LEAPS) {
        atomic_store(&t->tried, true);
        return false;
    }
    atomic_fetch_add(&r->engine->leapt, leaps[t->leapt]);
    atomic_fetch_add(&t->at, leaps[t->leapt++]);
    atomic_store(&t->rounds, 0);
    atomic_fetch_add(&t->changes, 2);
    return true;
}

/* Others may have changed what it polls; but the host, if it could, would have
 * to wait for the kernel. */
void freeze_again(struct run *r)
{
    if (!r->standing_mapped)
        atomic_store(&r->time.tried, false);
    if (atomic_load(&r->time.frozen) && !r->time.leaps)
        set_frozen(r, false);
}
