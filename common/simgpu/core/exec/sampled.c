// SPDX-License-Identifier: MIT
/*
 * sampled.c: the blocks of a launch that runs in part. Interface: sampled.h.
 *
 * Some blocks of one multiprocessor run, as many at a time as it holds; or all
 * blocks, as many at a time as the GPU holds. If they wait for blocks of other
 * multiprocessors, these join as strangers, of which nothing is counted.
 */
#include "sampled.h"

#include "simgpu/core/state/finding.h"
#include "worker.h"

/* A round of a block. false: it has ended. */
static bool goes_on(struct worker *k, run_warp *run)
{
    if (round_alone(k, run) == UNDER_WAY)
        return true;
    round_end(k);
    return false;
}

bool sampled_waits(const struct worker *k)
{
    enum { LONG = 64 }; /* rounds */
    return k->calm >= LONG;
}

/* The first block of a sampled launch, alone. true: no other one is needed. */
static bool first_is_enough(struct worker *k, run_warp *run)
{
    k->order = 0;
    round_begin(k);
    k->has_block = true;
    while (k->has_block && !sampled_waits(k))
        k->has_block = goes_on(k, run);
    return !k->has_block && (round_stopped(k) || k->run->enough(k));
}

/* The next block of other multiprocessors. false: there is none. */
static bool stranger_begins(struct worker *k)
{
    struct run *r = k->run;
    uint64_t n = atomic_load(&r->next_block);
    while (n < r->n_blocks && r->is_sampled(r, n))
        n++;
    atomic_store(&r->next_block, n + 1);
    k->has_block = n < r->n_blocks;
    if (!k->has_block)
        return false;
    k->calm = 0;
    k->order = r->n_sampled + n;
    round_start(k, n);
    return true;
}

/* All sampled blocks wait, and so do the strangers: as many more of these as
 * there are blocks by now, if the GPU has room. false: there are no more. */
static bool add_strangers(struct worker **all, const struct worker *first)
{
    struct run *r = first->run;
    uint32_t n = 0;
    bool any = false;
    for (const struct worker *k = first; k; k = k->mate)
        n++;
    for (const struct worker *k = *all; k; k = k->mate)
        n++;
    for (; n > 0 && atomic_load(&r->next_block) < r->n_blocks; n--) {
        struct worker *k = worker_add(r);
        if (!k)
            return false;
        atomic_store(&r->in_turns, true);
        any = true;
        k->guest = true;
        k->mate = *all;
        *all = k;
        stranger_begins(k);
    }
    return any;
}

void sampled_give_up(struct worker *first)
{
    enum { ROUNDS = 8192 };
    struct worker *k = first;
    if (++first->stuck != ROUNDS)
        return;
    while (!k->has_block)
        k = k->mate;
    struct warp *w = &k->block.warps[0];
    while (w->done)
        w++;
    round_over_budget(k, w);
}

/* A round of the strangers. Whether one of them did more than wait. */
static bool strangers_move(struct worker *all, run_warp *run)
{
    bool any = false;
    for (struct worker *k = all; k; k = k->mate) {
        if (!k->has_block)
            continue;
        k->has_block = goes_on(k, run);
        any |= k->has_block ? !sampled_waits(k) : stranger_begins(k);
    }
    return any;
}

static void sampled_begins(struct worker *k, uint64_t *next, uint64_t n)
{
    k->has_block = *next < n;
    k->calm = 0;
    k->order = k->has_block ? (*next)++ : UINT64_MAX;
    if (k->has_block)
        round_begin(k);
}

enum progress sampled_work(struct worker *first, run_warp *run)
{
    const struct run *r = first->run;
    uint64_t next = r->launch->fair ? 0 : 1, n = r->n_sampled;
    struct worker *strangers = NULL;
    bool left, moves;
    if (!r->launch->fair && first_is_enough(first, run))
        return ENDED;
    for (struct worker *k = first; k; k = k->mate)
        if (!k->has_block)
            sampled_begins(k, &next, n);
    do {
        left = moves = false;
        for (struct worker *k = first; k; k = k->mate) {
            if (!k->has_block)
                continue;
            if (!goes_on(k, run))
                sampled_begins(k, &next,
                               round_stopped(k) || r->enough(k) ? 0 : n);
            left |= k->has_block;
            moves |= k->has_block && !sampled_waits(k);
        }
        moves |= strangers_move(strangers, run);
        if (!left || moves)
            first->stuck = 0;
        else if (!add_strangers(&strangers, first))
            sampled_give_up(first);
    } while (left);
    return ENDED;
}
