// SPDX-License-Identifier: MIT
/*
 * race_waits.c: what the lanes of a warp know because they have waited.
 *
 *   race_hear             lanes have waited: they know what an object says
 *   race_hear_flags       the same, of releases (race_order.c)
 *   race_notes_sync       lanes meet at a .sync: what one knew, all know
 *   race_notes_arrive     the warp comes to a barrier of the block
 *   race_notes_meet       warps have met there
 *   race_notes_fence      lanes fence what they have heard relaxed
 *   race_notes_cover      does one of these lanes know that an access is over?
 *   race_notes_join       what these lanes know goes with an arrival
 *   race_notes_block      a stamp: what a lane's fence covers of its block
 *   race_notes_begin, race_notes_close
 *
 * Usually all lanes of a warp wait together, and then the warp knows. Lanes do
 * not run in step, though: if one lane waits and the others go on without a
 * __syncwarp(), they may be ahead of it. So what some lanes have heard stands
 * in a note with their names on it, until a .sync or a barrier makes it the
 * warp's. A relaxed wait leaves a note, too, which does not count before a
 * fence: a barrier makes it a note of all who met there.
 *
 * A warp has a few notes. If it needs one more, the warp learns the oldest one:
 * this can hide a race, never make one up.
 */
#include <stdlib.h>

#include "race.h"
#include "simgpu/core/memory/own.h"

enum { NOTES = 4 };

struct note {
    uint32_t lanes;            /* 0: it is free */
    bool unfenced;
    const struct release *acquired;
    struct seen_block of[];    /* by rank */
};

struct warp_notes {
    struct note *note[NOTES];  /* the oldest first, then free ones */
};

static uint32_t ranks(const struct warp *w)
{
    return w->worker->cluster ? w->worker->cluster->n : 1;
}

static bool is_whole(const struct warp *w, uint32_t lanes)
{
    return (lanes | w->dead) == (uint32_t)FULL;
}

/* What the warp knows ------------------------------------------------------ */

/* Of its own block. */
static void see_own(struct warp *w, const struct seen_block *p)
{
    struct block *b = w->block;
    uint32_t *met = race_met(b)[w->index];
    race_join(met, p->warp, MAX_WARPS);
    for (int n = 0; n < MAX_WARPS; n++)
        race_raise(&met[n], p->floor);
    race_inits_seen(w, p->inits);
    if (p->threads && !b->own)
        b->own = own_not_null(calloc(MAX_WARPS, sizeof *b->own));
    if (p->threads)
        race_join(b->own[w->index], p->thread, MAX_WARPS * LANES);
    if (p->copies && !b->landed)
        b->landed = own_not_null(calloc(MAX_WARPS, sizeof *b->landed));
    if (p->copies)
        race_join(b->landed[w->index], p->landed, MAX_WARPS * LANES);
}

static void warp_hears(struct warp *w, uint32_t rank,
                       const struct seen_block *p)
{
    if (rank == w->worker->rank)
        see_own(w, p);
    else
        race_seen_join(race_seen(w, rank), p);
}

/* Notes -------------------------------------------------------------------- */

/* Its stamps may stay: those of the next one are above. */
static void erase(struct note *n)
{
    n->lanes = 0;
    n->acquired = NULL;
}

static void move_last(struct warp_notes *all, int k)
{
    struct note *n = all->note[k];
    for (; k + 1 < NOTES; k++)
        all->note[k] = all->note[k + 1];
    all->note[k] = n;
}

/* The k-th note becomes the warp's knowledge; those behind it move up. */
static void promote(struct warp *w, int k)
{
    struct note *n = w->notes->note[k];
    for (uint32_t rank = 0; rank < ranks(w); rank++)
        if (n->of[rank].any)
            warp_hears(w, rank, &n->of[rank]);
    race_see_flags(w, &w->acquired, n->acquired);
    erase(n);
    move_last(w->notes, k);
}

static struct note *note_for(struct warp *w, uint32_t lanes, bool unfenced)
{
    if (!w->notes)
        w->notes = own_not_null(calloc(1, sizeof *w->notes));
    struct note **all = w->notes->note;
    int k = 0;
    for (; k < NOTES && all[k] && all[k]->lanes; k++)
        if (all[k]->lanes == lanes && all[k]->unfenced == unfenced)
            return all[k];
    if (k == NOTES) {
        promote(w, 0);
        k = NOTES - 1;
    }
    if (!all[k])
        all[k] = own_not_null(
            calloc(1, sizeof **all + ranks(w) * sizeof *all[k]->of));
    all[k]->lanes = lanes;
    all[k]->unfenced = unfenced;
    return all[k];
}

static struct note *note_at(const struct warp *w, int k)
{
    struct note *n = w->notes ? w->notes->note[k] : NULL;
    return n && n->lanes ? n : NULL;
}

void race_hear(struct warp *w, uint32_t lanes, bool relaxed, uint32_t rank,
               const struct seen_block *p)
{
    if (!relaxed && is_whole(w, lanes))
        warp_hears(w, rank, p);
    else
        race_seen_join(&note_for(w, lanes, relaxed)->of[rank], p);
}

void race_hear_flags(struct warp *w, uint32_t lanes, bool relaxed,
                     const struct release *r)
{
    if (r && relaxed)
        race_see_flags(w, &note_for(w, lanes, true)->acquired, r);
    else
        race_learn(w, lanes, r);
}

void race_notes_sync(struct warp *w, uint32_t members)
{
    for (int k = NOTES - 1; k >= 0; k--) {
        struct note *n = note_at(w, k);
        if (!n || n->unfenced || !(n->lanes & members))
            continue;
        n->lanes |= members & ~w->dead;
        if (is_whole(w, n->lanes))
            promote(w, k);
    }
}

/* Until a fence follows, any lane may be the one that fences. */
void race_notes_arrive(struct warp *w)
{
    struct note *n;
    for (int k = 0; (n = note_at(w, k));) {
        n->lanes |= n->unfenced ? (uint32_t)FULL & ~w->dead : 0;
        if (n->unfenced)
            k++;
        else
            promote(w, k);
    }
}

/* What warp w has heard and not fenced, to has, too. */
static void meet_unfenced(const struct warp *w, struct warp *to)
{
    for (int k = 0; k < NOTES; k++) {
        const struct note *n = note_at(w, k);
        if (!n || !n->unfenced)
            continue;
        struct note *other = note_for(to, (uint32_t)FULL & ~to->dead, true);
        for (uint32_t rank = 0; rank < ranks(w); rank++)
            race_seen_join(&other->of[rank], &n->of[rank]);
        race_see_flags(to, &other->acquired, n->acquired);
    }
}

void race_notes_meet(struct block *b, uint32_t from, uint32_t to)
{
    for (uint32_t rest = from; rest; rest &= rest - 1) {
        const struct warp *w = &b->warps[first_lane(rest)];
        uint32_t others = w->notes ? to & ~(rest & -rest) : 0;
        for (; others; others &= others - 1)
            meet_unfenced(w, &b->warps[first_lane(others)]);
    }
}

void race_notes_fence(struct warp *w, uint32_t lanes)
{
    for (int k = NOTES - 1; k >= 0; k--) {
        struct note *n = note_at(w, k);
        if (!n || !n->unfenced || !(n->lanes & lanes))
            continue;
        n->unfenced = false;
        race_learn(w, n->lanes & lanes, n->acquired);
        n->acquired = NULL;
        if (n->lanes & ~lanes || is_whole(w, n->lanes))
            promote(w, k);
    }
}

bool race_notes_cover(const struct warp *w, uint32_t lanes, uint32_t rank,
                      uint64_t before)
{
    for (int k = 0; k < NOTES; k++) {
        const struct note *n = note_at(w, k);
        if (n && n->lanes & lanes && !n->unfenced && n->of[rank].any &&
            race_seen_covers(run_of(w), &n->of[rank], before))
            return true;
    }
    return false;
}

void race_notes_join(const struct warp *w, uint32_t lanes, uint32_t rank,
                     struct seen_block *to)
{
    for (int k = 0; k < NOTES; k++) {
        const struct note *n = note_at(w, k);
        if (n && n->lanes & lanes && !n->unfenced)
            race_seen_join(to, &n->of[rank]);
    }
}

uint32_t race_notes_block(const struct warp *w, int lane)
{
    uint32_t most = 0;
    for (int k = 0; k < NOTES; k++) {
        const struct note *n = note_at(w, k);
        if (!n || !(n->lanes >> lane & 1) || n->unfenced)
            continue;
        const struct seen_block *p = &n->of[w->worker->rank];
        race_raise(&most, p->floor);
        for (int a = 0; a < MAX_WARPS; a++)
            race_raise(&most, p->warp[a]);
    }
    return most;
}

void race_notes_begin(struct warp *w)
{
    for (int k = 0; k < NOTES; k++)
        if (note_at(w, k))
            erase(w->notes->note[k]);
}

void race_notes_close(struct warp *w)
{
    for (int k = 0; w->notes && k < NOTES; k++)
        free(w->notes->note[k]);
    free(w->notes);
    w->notes = NULL;
}
