// SPDX-License-Identifier: MIT
/*
 * race_known_lanes.h: what race_known.c does, for a whole warp at once, each
 * lane with a word of shared memory; included by race_lanes.h, once per vector
 * width.
 *
 *   known_words   false: nothing was done; the lanes go to race_access
 *
 * All hits must be of one pair of instructions (two, for a store: with the last
 * write, and with readers), in one array, and of a later block or warp than
 * the finding's: then nobody has to be told apart.
 */
#ifndef SIMGPU_RACE_KNOWN_LANES_H
#define SIMGPU_RACE_KNOWN_LANES_H

#include "race_known.h"

/* Hits of lanes with accesses of one site, if they are. */
struct same_hits {
    uint64_t n, all, any; /* their number; of their sites the bits of all */
};

ACCESS_INLINE void add_hit(struct same_hits *h, uint64_t is, uint64_t before)
{
    h->n += is;
    h->all &= before | (is - 1);
    h->any |= before & (0 - is);
}

/* The finding that stands for all of them; or none. */
ACCESS_INLINE bool find_hits(const struct access *b, const struct same_hits *h,
                             const struct memo **m)
{
    const struct warp *w = b->warp;
    *m = NULL;
    if (!h->n)
        return true;
    struct hit hit = {hit_pair(FIND_RACE, b->form->site, h->any & SITE_MASK),
                      b->low, w->block->index, w->index * LANES,
                      w->worker->order};
    *m = found_memo(w->worker, &hit);
    return *m && !((h->all ^ h->any) & SITE_MASK) &&
           ((*m)->block < hit.block || (*m)->thread < hit.thread) &&
           b->low + b->spread < (*m)->hi;
}

ACCESS_INLINE void count_hits(const struct access *b,
                              const struct same_hits *h, const struct memo *m)
{
    struct worker *k = b->warp->worker;
    if (m)
        found_count(k, m->at, k->order, h->n);
}

/* As race_keep_reader, of words that differ; but none is done. */
ACCESS_INLINE void keep_readers(const struct access *b, struct shadow *s,
                                const struct tag_bounds *y)
{
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t now = tag_at(y, l, 1), *p = &s->read[0][at];
        uint64_t *q = &s->read[1][at];
        bool first = (*p < y->floor) | !((*p ^ now) & THREAD_MASK);
        bool second = (*q < y->floor) | !((*q ^ now) & THREAD_MASK) |
                      !((*p ^ *q) & WARP_MASK);
        *q = !first & second ? now : *q;
        *p = first ? now : *p;
    }
}

ACCESS_INLINE bool known_reads(const struct access *b, struct shadow *s)
{
    const struct tag_bounds y = tag_bounds_of(b);
    struct same_hits hits = {0, UINT64_MAX, 0};
    const struct memo *m;
    uint64_t bad = 0;
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t write = s->write[at], p = s->read[0][at], q = s->read[1][at];
        bad |= (write == TAG_NARROW) | ((p | q) >> TAG_CLASS & RACE_WRITE);
        bad |= p >> TAG_STAMP == STAMP_UNDER_WAY;
        add_hit(&hits, !is_before(&y, write, tag_at(&y, l, 1)), write);
    }
    if (bad || !find_hits(b, &hits, &m))
        return false;
    count_hits(b, &hits, m);
    if (b->uniform) {
        for (int l = 0; l < LANES; l += LANES - 1)
            race_keep_reader(s, b->addr[0] / RACE_WORD, b->warp,
                             tag_at(&y, l, 1));
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
    struct same_hits on_write = {0, UINT64_MAX, 0}, on_read = on_write;
    const struct memo *m, *n;
    uint64_t bad = 0, old[LANES];
    for (int l = 0; l < LANES; l++) {
        size_t at = b->addr[l] / RACE_WORD;
        uint64_t mine = tag_at(&y, l, 1), write = s->write[at];
        uint64_t p = s->read[0][at], q = s->read[1][at];
        uint32_t stored = *(const uint32_t *)(b->stored + b->addr[l]);
        uint64_t hit = !is_before(&y, write, mine);
        uint64_t first = !is_before(&y, p, mine);
        bad |= (write == TAG_NARROW) | ((p | q) >> TAG_CLASS & RACE_WRITE);
        bad |= hit & (s->value[at] == stored);
        add_hit(&on_write, hit, write);
        add_hit(&on_read, first | !is_before(&y, q, mine), first ? p : q);
        old[l] = write;
    }
    if (bad || !find_hits(b, &on_write, &m) || !find_hits(b, &on_read, &n))
        return false;
    if (!put_writes(b, s, &y)) {
        for (int l = 0; l < LANES; l++)
            s->write[b->addr[l] / RACE_WORD] = old[l];
        return false;
    }
    count_hits(b, &on_write, m);
    count_hits(b, &on_read, n);
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
