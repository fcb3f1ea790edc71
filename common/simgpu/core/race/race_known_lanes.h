// SPDX-License-Identifier: MIT
/*
 * race_known_lanes.h: what race_known.c does, for a whole warp at once, each
 * lane with a word of shared memory; included by race_lanes.h, once per vector
 * width.
 *
 *   known_words   false: nothing was done; the lanes go to race_access
 *
 * All hits must be in one array, of few pairs of instructions, whose findings
 * are of an earlier block or warp: then nobody has to be told apart.
 */
#ifndef SIMGPU_RACE_KNOWN_LANES_H
#define SIMGPU_RACE_KNOWN_LANES_H

#include "race_known.h"

enum { KNOWN_MOST = 8 };

/* Hits of a warp's lanes: where the other access stands, by lane; 0: no hit. */
struct lane_hits {
    uint32_t site[LANES], any;
    size_t n;                  /* findings that stand, */
    size_t at[KNOWN_MOST];     /* where, */
    uint32_t times[KNOWN_MOST];
};

ACCESS_INLINE void add_hit(struct lane_hits *h, int lane, bool is,
                           uint64_t before)
{
    h->site[lane] = is ? (uint32_t)(before & SITE_MASK) : 0;
    h->any |= h->site[lane];
}

/* How many hits are of this site; they are none from now on. */
ACCESS_INLINE uint32_t take_hits(struct lane_hits *h, uint32_t site)
{
    uint32_t n = 0, any = 0;
    for (int l = 0; l < LANES; l++) {
        uint32_t same = h->site[l] == site;
        n += same;
        h->site[l] = same ? 0 : h->site[l];
        any |= h->site[l];
    }
    h->any = any;
    return n;
}

ACCESS_INLINE uint32_t first_site(const struct lane_hits *h)
{
    int l = 0;
    while (!h->site[l])
        l++;
    return h->site[l];
}

/* Does a finding stand for each of them? */
ACCESS_INLINE bool find_hits(const struct access *b, struct lane_hits *h)
{
    const struct warp *w = b->warp;
    h->n = 0;
    while (h->any) {
        uint32_t site = first_site(h);
        struct hit hit = {hit_pair(FIND_RACE, b->form->site, site), b->low,
                          w->block->index, w->index * LANES, 0};
        const struct memo *m = found_memo(w->worker, &hit);
        if (!m || h->n == KNOWN_MOST ||
            (m->block >= hit.block && m->thread >= hit.thread) ||
            b->low + b->spread >= m->hi)
            return false;
        h->at[h->n] = m->at;
        h->times[h->n++] = take_hits(h, site);
    }
    return true;
}

ACCESS_INLINE void count_hits(const struct access *b,
                              const struct lane_hits *h)
{
    struct worker *k = b->warp->worker;
    for (size_t n = 0; n < h->n; n++)
        found_count(k, h->at[n], k->order, h->times[n]);
}

/* As race_keep_reader, of words that differ; but none is done. */
ACCESS_INLINE void keep_readers(const struct access *b, struct shadow *s,
                                const struct tag_bounds *y)
{
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t now = tag_at(y, l, 1), *p = &s->read[0][at];
        uint64_t *q = &s->read[1][at];
        bool first = race_takes_first(*p, y->floor, now);
        bool second = race_takes_second(*p, *q, y->floor, now);
        *q = (!first & second) ? now : *q;
        *p = first ? now : *p;
    }
}

/* As lane after lane would: two are enough, or else the one that is there is
 * renewed, and the last one stays beside it. */
ACCESS_INLINE void keep_uniform(const struct access *b, struct shadow *s,
                                const struct tag_bounds *y)
{
    const struct warp *w = b->warp;
    size_t at = b->addr[0] / RACE_WORD;
    uint64_t now = tag_at(y, 0, 1);
    for (int l = 0; l < 2; l++)
        if (undone(s->done[at], w->block->floor, w->stamp))
            race_keep_reader(s, at, w, tag_at(y, l, 1));
    if (!undone(s->done[at], w->block->floor, w->stamp))
        return;
    for (int n = 0; n < 2; n++)
        if (!((s->read[n][at] ^ now) & WARP_MASK))
            race_keep_reader(s, at, w, tag_at(
                y, (int)(tag_thread(s->read[n][at]) % LANES), 1));
    race_keep_reader(s, at, w, tag_at(y, LANES - 1, 1));
}

ACCESS_INLINE bool known_reads(const struct access *b, struct shadow *s)
{
    const struct tag_bounds y = tag_bounds_of(b);
    struct lane_hits hits;
    uint64_t bad = 0;
    hits.any = 0;
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t write = s->write[at], p = s->read[0][at], q = s->read[1][at];
        bad |= (write == TAG_NARROW) | ((p | q) >> TAG_CLASS & RACE_WRITE);
        bad |= p >> TAG_STAMP == STAMP_UNDER_WAY;
        add_hit(&hits, l, !is_before(&y, write, tag_at(&y, l, 1)), write);
    }
    if (bad || !find_hits(b, &hits))
        return false;
    count_hits(b, &hits);
    if (b->uniform) {
        keep_uniform(b, s, &y);
        return true;
    }
    keep_readers(b, s, &y);
    return true;
}

/* Each lane's tag in its word; false: two lanes have one word. */
ACCESS_INLINE bool put_writes(const struct access *b, struct shadow *s,
                              const struct tag_bounds *y)
{
    uint64_t lost = 0;
    for (int l = 0; l < LANES; l++)
        s->write[b->addr[l] / RACE_WORD] = tag_at(y, l, 1);
    for (int l = 0; l < LANES; l++)
        lost |= s->write[b->addr[l] / RACE_WORD] ^ tag_at(y, l, 1);
    return !lost;
}

ACCESS_INLINE bool known_writes(const struct access *b, struct shadow *s)
{
    const struct tag_bounds y = tag_bounds_of(b);
    struct lane_hits on_write, on_read;
    uint64_t bad = 0, old[LANES];
    on_write.any = on_read.any = 0;
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t mine = tag_at(&y, l, 1), write = s->write[at];
        uint64_t p = s->read[0][at], q = s->read[1][at];
        uint32_t stored = *(const uint32_t *)(b->stored + b->addr[l]);
        uint64_t hit = !is_before(&y, write, mine);
        uint64_t first = !is_before(&y, p, mine);
        bad |= (write == TAG_NARROW) | ((p | q) >> TAG_CLASS & RACE_WRITE);
        bad |= hit & (s->value[at] == stored);
        add_hit(&on_write, l, hit, write);
        add_hit(&on_read, l, first | !is_before(&y, q, mine), first ? p : q);
        old[l] = write;
    }
    if (bad || !find_hits(b, &on_write) || !find_hits(b, &on_read))
        return false;
    if (!put_writes(b, s, &y)) {
        for (int l = 0; l < LANES; l++)
            s->write[b->addr[l] / RACE_WORD] = old[l];
        return false;
    }
    count_hits(b, &on_write);
    count_hits(b, &on_read);
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        s->value[at] = *(const uint32_t *)(b->stored + b->addr[l]);
        s->done[at] = 0;
    }
    return true;
}

/* Not inlined: each handler would hold a copy. */
static __attribute__((noinline)) bool known_words(const struct access *b,
                                                  bool write)
{
    struct race *r = b->warp->worker->race;
    if (r->visited || !race_only_barriers(b->warp))
        return false;
    return write ? !b->form->strong && known_writes(b, r->shared)
                 : known_reads(b, r->shared);
}

#endif
