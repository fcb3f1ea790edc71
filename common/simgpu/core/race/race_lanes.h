// SPDX-License-Identifier: MIT
/*
 * race_lanes.h: what race_words.c does, for a whole warp at once, in the common
 * cases; included by lanes_memory.c, once per vector width.
 *
 *   race_lanes   the lanes that are left for race_access
 *
 * Reads that add nothing, as the word's done stamp says; and words that no
 * other thread of the block has touched since its last barrier, nor of this
 * warp since its last .sync.
 */
#ifndef SIMGPU_RACE_LANES_H
#define SIMGPU_RACE_LANES_H

#include "race.h"

enum { DONE_NEAR = 1024 }; /* bytes: stamps worth reading as a range */

/* The tags that an access's own and others' are compared with: those of the
 * block's last barrier and the warp's last .sync, and the range of its own. */
struct tag_bounds {
    uint64_t floor, full, mine, most;
};

ACCESS_INLINE struct tag_bounds tag_bounds_of(const struct access *b)
{
    const struct warp *w = b->warp;
    uint64_t mine = w->tags[0] | race_site(b->form);
    return (struct tag_bounds){stamp_tag(w->block->floor), stamp_tag(w->full),
                               mine, mine | UINT32_MAX};
}

/* The tag of the n-th word; words: per lane. */
ACCESS_INLINE uint64_t tag_at(const struct tag_bounds *y, int n, int words)
{
    return y->mine + ((uint64_t)(n / words) << TAG_THREAD);
}

/* Ordered before: by a barrier, a .sync of the warp, or as its own. */
ACCESS_INLINE bool is_before(const struct tag_bounds *y, uint64_t before,
                             uint64_t now)
{
    uint64_t differ = before ^ now;
    return (before < y->floor) |
           (!(differ & THREAD_MASK) & (before <= y->most)) |
           (!(differ & WARP_MASK) & (before < y->full));
}

/* A plain read and a strong one of one launch: which of them stays in read[0],
 * and which goes into the launch's records, race_words.c says. */
ACCESS_INLINE bool is_of_another_class(uint64_t read, uint64_t launch,
                                       uint64_t mine)
{
    return (read >= launch) & (((read ^ mine) >> TAG_CLASS & 3) != 0);
}

ACCESS_INLINE bool is_plain_read(uint64_t tag)
{
    return (tag >> TAG_CLASS & 3) == RACE_READ;
}

/* From this tag on, what is in read[0] says that this one is in the launch's
 * records, or need not be. */
ACCESS_INLINE uint64_t noted_from(const struct warp *w, uint64_t mine)
{
    const struct race *r = w->worker->race;
    return stamp_tag(r->in_order && is_plain_read(mine) ? r->launch
                                                        : w->block->start);
}

ACCESS_INLINE size_t unit_of(uint64_t address, bool shared)
{
    return (address - (shared ? 0 : DEVICE_BASE)) / RACE_WORD;
}

ACCESS_INLINE uint32_t undone(uint32_t done, uint32_t floor, uint32_t stamp)
{
    return (done != floor) & (done != stamp);
}

ACCESS_INLINE bool range_done(const uint32_t *done, int n, uint32_t floor,
                       uint32_t stamp)
{
    uint32_t other = 0;
    for (int k = 0; k < n; k++)
        other |= undone(done[k], floor, stamp);
    return !other;
}

/* Lanes of whose words a read may add something. */
ACCESS_INLINE uint32_t lanes_undone(const struct warp *w,
                                    const struct access *b,
                                    const struct shadow *s, int words,
                                    bool shared)
{
    uint32_t floor = w->block->floor, stamp = w->stamp ? w->stamp : floor;
    const uint32_t *first = s->done + unit_of(b->addr[0], shared);
    uint8_t left[LANES];
    if (b->uniform)
        return range_done(first, words, floor, stamp) ? 0 : (uint32_t)FULL;
    if (shared && b->spread < DONE_NEAR &&
        range_done(s->done + b->low / RACE_WORD,
                   (int)(b->spread / RACE_WORD) + words, floor, stamp))
        return 0;
    if (b->unit && words == 1) {
        for (int l = 0; l < LANES; l++)
            left[l] = (uint8_t)undone(first[l], floor, stamp);
        return pack_mask(left);
    }
    for (int l = 0; l < LANES; l++) {
        const uint32_t *at = s->done + unit_of(b->addr[l], shared);
        uint32_t other = 0;
        for (int k = 0; k < words; k++)
            other |= undone(at[k], floor, stamp);
        left[l] = (uint8_t)other;
    }
    return pack_mask(left);
}

/* Words that several lanes have just read, and nobody before: the last of them
 * is in read[0], the first comes into read[1], and they are done. */
ACCESS_INLINE void read_together(const struct tag_bounds *y,
                                 const struct access *b, struct shadow *s,
                                 int words, bool shared)
{
    const struct warp *w = b->warp;
    for (int l = LANES - 1; l >= 0; l--)
        for (int k = 0; k < words; k++)
            s->read[1][unit_of(b->addr[l], shared) + (size_t)k] =
                tag_at(y, l, 1);
    for (int l = 0; l < LANES; l++) {
        size_t at = unit_of(b->addr[l], shared);
        for (int k = 0; k < words; k++, at++)
            s->done[at] = is_plain_read(y->mine) &&
                                  s->read[0][at] != s->read[1][at]
                              ? w->stamp : 0;
    }
}

/* Words here and there, that no other thread has touched since. */
ACCESS_INLINE bool read_words(const struct access *b, struct shadow *s,
                                int words, bool shared)
{
    const struct tag_bounds y = tag_bounds_of(b);
    const struct warp *w = b->warp;
    uint64_t bad = 0, old = 0, lost = 0, again = 0;
    /* Of an earlier block: this read goes into the launch's records, too,
     * unless read[0] will do. */
    uint64_t low = noted_from(w, y.mine);
    uint64_t launch = shared ? TAG_NARROW : stamp_tag(w->worker->race->launch);
    for (int l = 0; l < LANES; l++) {
        size_t at = unit_of(b->addr[l], shared);
        uint64_t mine = tag_at(&y, l, 1);
        for (int k = 0; k < words; k++, at++) {
            uint64_t read = s->read[0][at], write = s->write[at];
            bad |= !is_before(&y, write, mine);
            bad |= (read >= y.floor) & ((read ^ mine) >> TAG_CLASS != 0);
            bad |= is_of_another_class(read, launch, mine);
            old |= read < low;
            again |= (read >= y.floor) | (write >= y.full);
        }
    }
    if (bad || (!shared && old))
        return false;
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < words; k++)
            s->read[0][unit_of(b->addr[l], shared) + (size_t)k] =
                tag_at(&y, l, 1);
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < words; k++)
            lost |= s->read[0][unit_of(b->addr[l], shared) + (size_t)k] ^
                    tag_at(&y, l, 1);
    if (lost && !again)
        read_together(&y, b, s, words, shared);
    return !lost || !again;
}

/* Words that one other warp has read since the last barrier: with this one
 * they are done. */
ACCESS_INLINE bool read_second(const struct access *b, struct shadow *s,
                                int words, bool shared)
{
    const struct tag_bounds y = tag_bounds_of(b);
    const struct warp *w = b->warp;
    uint64_t bad = 0;
    for (int l = 0; l < LANES; l++) {
        size_t at = unit_of(b->addr[l], shared);
        for (int k = 0; k < words; k++, at++) {
            uint64_t differ = s->read[0][at] ^ y.mine;
            bad |= (s->write[at] >= y.floor) | (s->read[0][at] < y.floor) |
                   (s->read[1][at] >= y.floor) | !(differ & WARP_MASK) |
                   !is_plain_read(s->read[0][at] | y.mine);
        }
    }
    if (bad)
        return false;
    for (int l = 0; l < LANES; l++) {
        size_t at = unit_of(b->addr[l], shared);
        for (int k = 0; k < words; k++, at++) {
            s->read[1][at] = tag_at(&y, l, 1);
            s->done[at] = w->block->floor;
        }
    }
    return true;
}

/* In the launch's own records: race_blocks.c. */
ACCESS_INLINE void note_words(struct worker *k, struct shadow *s, size_t at,
                              int n, const struct tag_bounds *y, int words)
{
    unsigned class = y->mine >> TAG_CLASS & 3;
    struct tag_bounds mine = {.mine = block_tag(&k->block, y->mine)};
    uint64_t *first = s->first[class] + at, *last = s->last[class] + at;
    for (int u = 0; u < n; u++) {
        uint64_t tag = tag_at(&mine, u, words);
        first[u] = first[u] > ~tag ? first[u] : ~tag;
        last[u] = last[u] > tag ? last[u] : tag;
    }
    s->touched[at / RACE_GROUP] |= (uint8_t)(1u << class);
    s->touched[(at + (size_t)n - 1) / RACE_GROUP] |= (uint8_t)(1u << class);
}

ACCESS_INLINE bool read_range(const struct access *b, struct shadow *s,
                              size_t at, int words, bool shared)
{
    const struct tag_bounds y = tag_bounds_of(b);
    const struct warp *w = b->warp;
    const uint64_t *write = s->write + at;
    uint64_t *read = s->read[0] + at, bad = 0, first = 0, again = 0;
    uint64_t start = noted_from(w, y.mine);
    uint64_t launch = shared ? TAG_NARROW : stamp_tag(w->worker->race->launch);
    for (int n = 0; n < LANES * words; n++) {
        uint64_t mine = tag_at(&y, n, words);
        bad |= !is_before(&y, write[n], mine);
        bad |= (read[n] >= y.floor) & ((read[n] ^ mine) >> TAG_CLASS != 0);
        bad |= is_of_another_class(read[n], launch, mine);
        first |= read[n] < start;
        again |= read[n] >= start;
    }
    if (bad || (!shared && first && again))
        return false;
    if (!shared && first)
        note_words(w->worker, s, at, LANES * words, &y, words);
    for (int n = 0; n < LANES * words; n++)
        read[n] = tag_at(&y, n, words);
    return true;
}

/* stored: what stands there now. */
ACCESS_INLINE bool write_range(const struct access *now, struct shadow *s,
                               size_t at, int words, bool shared,
                               const uint32_t *stored)
{
    const struct tag_bounds y = tag_bounds_of(now);
    struct worker *k = now->warp->worker;
    uint64_t *write = s->write + at, bad = 0;
    const uint64_t *a = s->read[0] + at, *b = s->read[1] + at;
    uint64_t launch = stamp_tag(shared ? 0 : k->race->launch);
    uint32_t *value = s->value + at, *done = s->done + at;
    if (!shared) {
        race_own(s, at);
        race_own(s, at + (size_t)(LANES * words) - 1);
    }
    for (int n = 0; n < LANES * words; n++) {
        uint64_t mine = tag_at(&y, n, words);
        bad |= !(is_before(&y, write[n], mine) & is_before(&y, a[n], mine) &
                 is_before(&y, b[n], mine));
        bad |= launch && write[n] >= launch;
    }
    if (bad)
        return false;
    if (!shared)
        note_words(k, s, at, LANES * words, &y, words);
    for (int n = 0; n < LANES * words; n++) {
        write[n] = tag_at(&y, n, words);
        value[n] = stored[n];
        done[n] = 0;
    }
    return true;
}

/* As read_words, of shared memory. Two lanes that write one word are left to
 * race_words.c; the tag and the value are those of the last one by then. */
ACCESS_INLINE bool write_words(const struct access *b, struct shadow *s,
                               int words)
{
    const struct tag_bounds y = tag_bounds_of(b);
    uint64_t bad = 0, lost = 0;
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t mine = tag_at(&y, l, 1);
        for (int k = 0; k < words; k++, at++)
            bad |= !(is_before(&y, s->write[at], mine) &
                     is_before(&y, s->read[0][at], mine) &
                     is_before(&y, s->read[1][at], mine));
    }
    if (bad)
        return false;
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < words; k++)
            s->write[b->addr[l] / RACE_WORD + (size_t)k] = tag_at(&y, l, 1);
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        const uint32_t *stored = (const uint32_t *)(b->stored + b->addr[l]);
        for (int k = 0; k < words; k++, at++) {
            lost |= s->write[at] ^ tag_at(&y, l, 1);
            s->value[at] = stored[k];
            s->done[at] = 0;
        }
    }
    return !lost;
}

#include "race_known_lanes.h"

ACCESS_INLINE uint32_t race_lanes(const struct access *b, int bytes,
                                  bool shared, bool write)
{
    const struct warp *w = b->warp;
    struct race *r = w->worker->race;
    struct shadow *s = shared ? r->shared : r->global;
    int words = bytes / RACE_WORD;
    size_t at = unit_of(b->addr[0], shared);
    bool whole = w->stamp && b->mask == (uint32_t)FULL;
    bool steps = b->unit && w->stamp;
    uint32_t left = b->mask;
    if (!shared && run_of(w)->race_mode != RACES_APART)
        return left;
    if (!shared && !write && b->form->constant && race_written(b, s))
        return left;
    bool known = COUNTS_QUICKLY && whole && shared && words == 1;
    if (write)
        return (steps ? write_range(b, s, at, words, shared,
                                    (const uint32_t *)(b->stored + b->addr[0]))
                      : whole && shared && !b->uniform &&
                            write_words(b, s, words)) ||
                       (known && !b->uniform && known_words(b, true))
                   ? 0 : left;
    if (shared || b->unit || b->uniform)
        left &= lanes_undone(w, b, s, words, shared);
    if (left == (uint32_t)FULL && steps &&
        read_range(b, s, at, words, shared))
        return 0;
    if (left == (uint32_t)FULL && whole && !b->uniform &&
        ((!steps && read_words(b, s, words, shared)) ||
         read_second(b, s, words, shared)))
        return 0;
    if (known && left && known_words(b, false))
        return 0;
    return shared || b->unit || b->uniform
               ? left : left & lanes_undone(w, b, s, words, shared);
}

#endif
