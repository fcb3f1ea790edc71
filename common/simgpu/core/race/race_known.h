// SPDX-License-Identifier: MIT
/*
 * race_known.h: hits that are no news, and nothing else, are counted; what they
 * change in a word's record is what race_words.c would have changed.
 *
 *   race_known        lanes of an access, as long as each is such a case
 *   race_keep_reader  what a read changes
 */
#ifndef SIMGPU_RACE_KNOWN_H
#define SIMGPU_RACE_KNOWN_H

#include "race.h"
#include "simgpu/core/state/finding.h"

/* One access, whose lanes come one after another. */
struct known {
    const struct access *a;
    struct warp *w;
    struct shadow *s;
    uint64_t floor, full;  /* tags of the block's last barrier, and of the
                              warp's last .sync */
    uint64_t site, pair;   /* of every lane's tag; of every hit */
    bool simple;           /* a word per lane, which is in a register */
    struct side {          /* hits on the last write, and on the two readers */
        struct memo memo;
        uint64_t hits;
    } side[3];
};

/* false: not an access of this kind, or not only barriers order the warp. */
bool race_known_begin(struct known *x, const struct access *a);
/* Of these lanes, those that are left, from the first one that is news. */
uint32_t race_known(struct known *x, uint32_t lanes);
void race_known_end(struct known *x);

/* Only the block's barriers and .sync of the whole warp order what w does. */
static inline bool race_only_barriers(const struct warp *w)
{
    const struct block *b = w->block;
    return !(w->order && w->order->partial) && !w->notes && !b->met &&
           !b->own && !b->landed && !b->seen && !run_of(w)->order;
}

static inline bool race_is_write(uint64_t tag)
{
    return tag >> TAG_CLASS & RACE_WRITE;
}

/* The same thread left the tag, and what it does now says as much: a read does
 * not take the place of its strong write, which races with more; nor of its
 * copy, which is under way until it is waited for. */
static inline bool race_stands_for(uint64_t before, uint64_t now)
{
    return in_program_order(before, now) &&
           (!race_is_write(before) || race_is_write(now));
}

/* Does a read take the place of the first of two readers, a; if not, of the
 * second one, b? */
static inline bool race_takes_first(uint64_t a, uint64_t floor, uint64_t now)
{
    return (a < floor) | race_stands_for(a, now);
}

static inline bool race_takes_second(uint64_t a, uint64_t b, uint64_t floor,
                                     uint64_t now)
{
    return (b < floor) | in_program_order(b, now) |
           (!((a ^ b) & WARP_MASK) & !is_under_way(b));
}

/* The same thread reads for another copy, which will end by itself. */
static inline bool race_also_copies(uint64_t before, uint64_t now)
{
    return is_under_way(now) && is_under_way(before) &&
           same_thread(before, now);
}

/* Two readers, of two warps if there are; done, when they are enough: strong
 * ones are not, as a plain read races with more. */
static inline void race_keep_reader(struct shadow *s, size_t unit,
                                    const struct warp *w, uint64_t now)
{
    uint64_t *a = &s->read[0][unit], *b = &s->read[1][unit];
    uint64_t floor = stamp_tag(w->block->floor), write = s->write[unit];
    if (race_also_copies(*a, now))
        *b = *b < floor ? now : *b;
    else if (race_takes_first(*a, floor, now))
        *a = now;
    else if (race_takes_second(*a, *b, floor, now))
        *b = now;
    if (*b < floor || (*a | *b) >> TAG_CLASS & 3)
        return;
    if ((*a ^ *b) & WARP_MASK) {
        if (write < floor)
            s->done[unit] = w->block->floor;
    } else if (w->stamp && *a >> TAG_STAMP == w->stamp &&
               *b >> TAG_STAMP == w->stamp &&
               (write < floor || (!((write ^ now) & WARP_MASK) &&
                                  write < stamp_tag(w->full)))) {
        s->done[unit] = w->stamp;
    }
}

#endif
