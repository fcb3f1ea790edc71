// SPDX-License-Identifier: MIT
/*
 * still.c: see still.h.
 *
 * Loops over several flags come back to the same registers only after some
 * slices, so a warp's registers are compared with those of a slice that is kept
 * for longer and longer (Brent's way of finding a cycle).
 *
 * Workers are threads, and one that has not run for a while may not have seen
 * yet what another wrote last. So all must be still twice, each must have come
 * round twice in between, and none may have changed anything.
 */
#include "still.h"

#include <string.h>

#include "freeze.h"
#include "mbarrier_object.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"

enum {
    LONGEST = 64, /* slices of a cycle */
    AGAIN = 2,    /* cycles between the two times */
    DONE = -1,    /* the worker has no more blocks */
};

void still_begin(struct worker *k)
{
    k->still.lo = UINT64_MAX;
    k->still.hi = 0;
    k->still.looking = NULL;
    k->still.calm = 0;
    k->still.cycle = 1;
    k->still.mapped = false;
    atomic_store(&k->still.rounds, 0);
    for (int n = 0; n < MAX_WARPS; n++)
        k->block.warps[n].still = (struct warp_still){.span = 1};
}

/* The block's last round, which still_round does not hear of, may have helped
 * others. */
void still_leave(struct worker *k)
{
    atomic_fetch_add(&k->run->stirs, 1);
    atomic_store(&k->still.rounds, 0);
}

void still_end(struct worker *k)
{
    atomic_store(&k->still.rounds, DONE);
}

void still_look(struct warp *w, const struct access *a)
{
    struct worker_still *s = &w->worker->still;
    s->looking = w;
    s->tests = false;
    s->look = a->inst;
    s->place = finding_place(w, a->inst);
    s->lane = first_lane(a->mask);
    s->space = a->space;
    s->at = a->addr[s->lane];
    s->bytes = a->bytes;
    w->still.looked = true;
    for (uint32_t rest = a->mask; a->space == PTX_SPACE_GLOBAL && rest;
         rest &= rest - 1) {
        uint64_t at = a->addr[first_lane(rest)];
        s->lo = at < s->lo ? at : s->lo;
        s->hi = at + a->bytes > s->hi ? at + a->bytes : s->hi;
    }
}

/* Four words at a time, as each waits for the one before. */
static uint64_t key_of(const uint8_t *bytes, uint32_t n)
{
    uint64_t key[4] = {1, 2, 3, 4}, word[4];
    uint32_t at = 0;
    for (; at + sizeof word <= n; at += sizeof word) {
        memcpy(word, bytes + at, sizeof word);
        for (int k = 0; k < 4; k++)
            key[k] = access_mix(key[k], word[k]);
    }
    for (; at + sizeof *word <= n; at += sizeof *word) {
        memcpy(word, bytes + at, sizeof *word);
        key[0] = access_mix(key[0], word[0]);
    }
    for (int k = 1; k < 4; k++)
        key[0] = access_mix(key[0], key[k]);
    return key[0];
}

/* Of these lanes' registers from one place in the frame to another, of so many
 * bytes per lane. Other lanes' have anything: whole rows are computed. */
static uint64_t mix_rows(uint64_t h, const uint8_t *from, const uint8_t *to,
                         uint32_t bytes, uint32_t mask)
{
    for (; from < to; from += bytes * LANES)
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            const uint8_t *at = from + bytes * (uint32_t)first_lane(rest);
            uint64_t word[2] = {0};
            memcpy(word, at, bytes);
            h = access_mix(access_mix(h, word[0]), word[1]);
        }
    return h;
}

static uint64_t mix_registers(uint64_t h, const struct frame *f, uint32_t mask)
{
    const uint32_t *rows = f->function->rows;
    for (uint32_t n = 0, word; n < rows[0]; n += sizeof word) {
        memcpy(&word, f->regs + n, sizeof word);
        h = access_mix(h, word & mask); /* a bit per lane */
    }
    for (uint32_t k = 0; k < 3; k++)
        h = mix_rows(h, f->regs + rows[k], f->regs + rows[k + 1], 4u << k,
                     mask);
    return h;
}

/* Of all that the warp's next instructions depend on, but for memory. The order
 * of leaves, which take turns, is not part of it. */
uint64_t still_state(const struct warp *w, bool runs)
{
    uint64_t all = w->dead;
    for (const struct node *leaf = w->leaves; leaf; leaf = leaf->next) {
        const struct frame *f = leaf->frame;
        bool here = runs && leaf == w->leaf;
        uint64_t h = access_mix(leaf->mask, here ? 0 : (uintptr_t)leaf->pc);
        h = access_mix(h, leaf->state);
        all += leaf->mask == UINT32_MAX
                   ? access_mix(h, key_of(f->regs, f->function->frame_bytes))
                   : mix_registers(h, f, leaf->mask);
    }
    return all;
}

/* What was done that may change memory, or let others go on. */
uint64_t still_deeds_of(const struct worker *k)
{
    const struct engine_counters *c = &k->counters;
    return c->global_store_requests + c->shared_store_requests +
           c->local_store_requests + c->global_atomics + c->shared_atomics +
           c->async_copy_requests + c->bulk_copies + c->barriers -
           k->still.idle;
}

bool still_slice(struct worker *k, struct warp *w)
{
    struct warp_still *s = &w->still;
    uint64_t did = still_deeds_of(k), now;
    bool looked = s->looked && did == k->still.did && !w->done;
    k->still.did = did;
    s->looked = false;
    if (!looked) {
        s->found = false;
        return false;
    }
    now = still_state(w, false);
    if (now == s->kept && s->age > 0) { /* it is due again after as long */
        s->found = true;
        s->span = s->age;
        s->age = 0;
    }
    if (s->found && s->span > k->still.cycle)
        k->still.cycle = s->span;
    if (s->age++ < s->span)
        return s->found;
    s->kept = now;
    s->age = 1;
    s->span = s->span < LONGEST ? 2 * s->span : 1;
    s->found = false;
    return false;
}

/* The host may write what the block looks at. */
static bool is_mapped(const struct worker *k)
{
    const struct memory *m = &k->run->engine->memory;
    for (size_t n = 0; n < m->n; n++) {
        const struct allocation *a = &m->list[n];
        if (a->live && a->kind != ALLOCATION_PLAIN &&
            a->address < k->still.hi && k->still.lo < a->address + a->bytes)
            return true;
    }
    return false;
}

/* Notes how far each worker is, or forgets it. true: all have been still, and
 * have run since that was noted. The run's lock is held. */
static bool all_still(struct run *r)
{
    int n = (int)atomic_load(&r->opened), rounds, most = r->still_rounds;
    unsigned stirs = atomic_load(&r->stirs);
    bool still = true, again = stirs == r->noted_stirs;
    for (int k = 0; k < n; k++) {
        rounds = atomic_load(&r->workers[k].still.rounds);
        still &= rounds == DONE || rounds >= most;
    }
    for (int k = 0; k < n; k++) {
        const struct worker_still *s = &r->workers[k].still;
        rounds = atomic_load(&s->rounds);
        again &= rounds == DONE || (s->noted && rounds >= s->noted + AGAIN);
    }
    for (int k = 0; k < n && !(still && again); k++) {
        struct worker_still *s = &r->workers[k].still;
        rounds = atomic_load(&s->rounds);
        if (!still || stirs != r->noted_stirs || !s->noted)
            s->noted = still ? rounds : 0;
    }
    r->noted_stirs = stirs;
    again &= stirs == atomic_load(&r->stirs); /* or somebody has ended now */
    /* All blocks of a cooperative launch run from the beginning on. */
    return still && again &&
           (r->launch->cooperative ||
            atomic_load(&r->next_block) >= run_clusters(r));
}

static void place_looked_at(const struct worker *k, struct finding *x)
{
    const struct worker_still *s = &k->still;
    *x = (struct finding){.space = s->space, .address = s->at,
                          .bytes = s->bytes};
    s->looking->leaf = s->looking->leaves;
    place_about(s->looking, s->space, s->at, x);
}

/* It looks at an mbarrier, by test_wait: what that lacks. */
static bool lacks(const struct worker *k, struct finding *x)
{
    const struct worker_still *s = &k->still;
    struct node waits = *s->looking->leaves;
    if (!s->tests)
        return false;
    waits.object = mbarrier_find(&k->block, s->at);
    waits.pc = s->look;
    if (waits.object)
        mbarrier_describe(&waits, x);
    return waits.object;
}

void still_condemn(struct worker *k, const char *why)
{
    struct worker_still *s = &k->still;
    struct finding x;
    place_looked_at(k, &x);
    if (!lacks(k, &x))
        snprintf(x.detail, sizeof x.detail, "polls for ever%s: %s",
                 atomic_load(&k->run->time.tried) ? ", whatever a clock says"
                                                  : "", why);
    finding_add_at(s->looking, s->place, s->look, s->lane, FIND_DEADLOCK,
                   &x);
    fault_raise(s->looking, FAULT_DEADLOCK);
    atomic_store(&k->run->in_turns, true); /* all blocks stop */
}

/* A launch that can pause may still be helped by other work. */
static void stand(struct worker *k)
{
    struct run *r = k->run;
    if (!r->pauses) {
        still_condemn(k, "all warps repeat themselves, and none writes this");
        return;
    }
    r->standing = k;
    r->standing_timed = freeze_timed(r);
    r->standing_mapped = false;
    for (unsigned n = 0; n < atomic_load(&r->opened); n++)
        r->standing_mapped |= r->workers[n].still.mapped;
    atomic_store(&r->pause, true);
}

/* All workers are asked once for as many rounds as there are workers: not each
 * by each. */
static bool may_ask(struct run *r)
{
    return atomic_fetch_add(&r->still_asks, 1) % atomic_load(&r->opened) == 0;
}

void still_round(struct worker *k, bool changed)
{
    struct worker_still *s = &k->still;
    struct run *r = k->run;
    unsigned polled = freeze_round(k, still_deeds_of(k));
    if (polled && still_polls(r, polled))
        freeze_begin(r);
    unsigned changes = atomic_load(&r->time.changes);
    changed |= changes != s->changes;
    s->changes = changes;
    if (changed || s->calm == UINT32_MAX) {
        if (s->calm > 0)
            atomic_fetch_add(&r->stirs, 1);
        s->lo = UINT64_MAX;
        s->hi = s->calm = 0;
        s->cycle = 1;
        s->mapped = false;
        atomic_store(&s->rounds, 0);
        return;
    }
    int was = atomic_load(&s->rounds), rounds = (int)(++s->calm / s->cycle);
    if (was < r->still_rounds && rounds >= r->still_rounds)
        s->mapped = is_mapped(k);
    if (s->mapped && !r->pauses)
        s->calm = 0;
    atomic_store(&s->rounds, s->calm ? rounds : 0);
    if (rounds < r->still_rounds || !s->calm || !s->looking || !may_ask(r))
        return;
    lock_take(r->out);
    bool all = all_still(r) && !r->standing;
    if (all && freeze_timed(r) && (r->time.leaps || !r->pauses))
        all = !freeze_leap(r);
    if (all && r->pauses)
        stand(k);
    lock_leave(r->out);
    if (all && !r->pauses)
        stand(k);
}

void still_again(struct run *r)
{
    for (unsigned n = 0; n < atomic_load(&r->opened); n++) {
        struct worker_still *s = &r->workers[n].still;
        s->calm = 0;
        s->noted = 0;
        s->mapped = false;
        if (atomic_load(&s->rounds) != DONE)
            atomic_store(&s->rounds, 0);
    }
    r->standing = NULL;
    freeze_again(r);
}

uint64_t still_deeds(const struct run *r)
{
    uint64_t all = 0;
    for (unsigned n = 0; n < atomic_load(&r->opened); n++)
        all += still_deeds_of(&r->workers[n]);
    return all;
}

bool still_polls(const struct run *r, unsigned rounds)
{
    bool any = false, all = true;
    for (unsigned n = 0; n < atomic_load(&r->opened); n++) {
        const struct worker *k = &r->workers[n];
        bool done = atomic_load(&k->still.rounds) == DONE;
        any |= !done;
        all &= done || atomic_load_explicit(&k->waits,
                                            memory_order_relaxed) >= rounds;
    }
    return any && all;
}

const struct source *still_at(const struct run *r, struct finding *x)
{
    for (unsigned n = 0; n < atomic_load(&r->opened); n++) {
        const struct worker *k = &r->workers[n];
        const struct warp *w = k->still.looking;
        if (k->has_block && w && w->leaves) {
            place_looked_at(k, x);
            return k->still.place;
        }
    }
    return NULL;
}
