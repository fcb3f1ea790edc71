// SPDX-License-Identifier: MIT
/*
 * race_known.c: hits that are no news. Interface: race_known.h.
 *
 * A kernel without its barriers around a tile meets the same race with each of
 * its accesses, by the million. The general way (race_words.c) asks each time
 * what orders the two, and whom to accuse. Here only three cases of plain loads
 * and stores of whole words in shared memory are left: nothing to say; ordered
 * by a barrier, a .sync of the warp or the thread itself; or a race that stands
 * in the list already (found_stands). All else is left to race_words.c.
 */
#include "race_known.h"

enum { WORDS = 4 }; /* of a lane, at most */

bool race_known_begin(struct known *x, const struct access *a)
{
    const struct access_form *f = a->form;
    struct warp *w = a->warp;
    if (!COUNTS_QUICKLY || !race_only_barriers(w) || w->worker->race->visited ||
        f->kind > ACCESS_STORE || f->proxy != PROXY_GENERIC || a->stamps ||
        a->lane_bytes || a->part != PART_WHOLE || a->bytes < RACE_WORD ||
        a->bytes > WORDS * RACE_WORD || f->matrix || f->constant ||
        (f->write && f->strong))
        return false;
    const struct detail *t = a->inst->detail;
    x->a = a;
    x->w = w;
    x->s = w->worker->race->shared;
    x->floor = stamp_tag(w->block->floor);
    x->full = stamp_tag(w->full);
    x->site = race_site(f);
    x->pair = hit_pair(FIND_RACE, f->site, 0);
    x->simple = f->write && a->bytes == RACE_WORD && t->size == RACE_WORD &&
                t->reg == RACE_WORD;
    for (int n = 0; n < 3; n++)
        x->side[n].memo.pair = x->side[n].hits = 0;
    return true;
}

static inline bool is_over(const struct known *x, uint64_t before,
                           uint64_t now)
{
    return before < x->floor || in_program_order(before, now) ||
           (!((before ^ now) & WARP_MASK) && before < x->full);
}

static void count(const struct known *x, struct side *y)
{
    if (y->hits)
        found_count(x->w->worker, y->memo.at, x->w->worker->order, y->hits);
    y->hits = 0;
}

static bool is_remembered(const struct known *x, struct side *y,
                          const struct hit *h)
{
    const struct memo *m = found_memo(x->w->worker, h);
    if (!m)
        return false;
    count(x, y);
    y->memo = *m;
    return true;
}

/* held: hits of this lane wait to be counted by the memos that there are. */
static inline bool stands(const struct known *x, struct side *y,
                          uint64_t before, uint64_t now, uint64_t address,
                          bool held)
{
    struct hit h = {x->pair | (before & SITE_MASK), address,
                    x->w->block->index, tag_thread(now), 0};
    return found_stands(&y->memo, &h) || (!held && is_remembered(x, y, &h));
}

/* 0: it adds nothing; 1: it is to be kept; 2: it is a hit, too; -1: news. */
static inline int ask_read(struct known *x, size_t unit, uint64_t now,
                           bool held)
{
    const struct shadow *s = x->s;
    uint64_t write = s->write[unit];
    uint32_t done = s->done[unit];
    if (done == x->w->block->floor || (done && done == x->w->stamp))
        return 0;
    if (write == TAG_NARROW ||
        race_is_write(s->read[0][unit] | s->read[1][unit]))
        return -1;
    if (is_over(x, write, now))
        return 1;
    return stands(x, &x->side[0], write, now, unit * RACE_WORD, held) ? 2 : -1;
}

/* Has the lane's access met that one in another of its words? */
static inline bool again(const struct known *x, struct race_told *told,
                         uint64_t before, size_t unit)
{
    return x->a->bytes > RACE_WORD &&
           race_told(run_of(x->w), told, before, 0, unit * RACE_WORD,
                     FIND_RACE);
}

static inline bool read_lane(struct known *x, uint64_t address, uint64_t now)
{
    struct race_told told;
    size_t unit = address / RACE_WORD, end = unit + x->a->bytes / RACE_WORD;
    int what[WORDS];
    bool held = false;
    for (size_t n = unit; n < end; n++) {
        if ((what[n - unit] = ask_read(x, n, now, held)) < 0)
            return false;
        held |= what[n - unit] == 2;
    }
    told.n = 0;
    for (size_t n = unit; n < end; n++) {
        x->side[0].hits += what[n - unit] == 2 &&
                           !again(x, &told, x->s->write[n], n);
        if (what[n - unit])
            race_keep_reader(x->s, n, x->w, now);
    }
    return true;
}

/* Hits, by side, as bits; -1: news. */
static inline int ask_write(struct known *x, size_t unit, uint64_t now,
                            uint32_t value, bool held)
{
    const struct shadow *s = x->s;
    uint64_t before[3] = {s->write[unit], s->read[0][unit], s->read[1][unit]};
    int hits = 0;
    if (before[0] == TAG_NARROW || race_is_write(before[1] | before[2]))
        return -1;
    for (int n = 0; n < 3; n++) {
        if (is_over(x, before[n], now))
            continue;
        if ((n == 0 && s->value[unit] == value) ||
            !stands(x, &x->side[n], before[n], now, unit * RACE_WORD, held))
            return -1;
        hits |= 1 << n;
        n += n == 1; /* one reader is enough */
    }
    return hits;
}

static inline bool write_lane(struct known *x, int l, uint64_t now)
{
    const struct access *a = x->a;
    uint64_t address = a->addr[l];
    size_t unit = address / RACE_WORD, words = a->bytes / RACE_WORD;
    uint32_t value[WORDS];
    int hits[WORDS];
    bool held = false;
    struct race_told told;
    for (size_t n = 0; n < words; n++) {
        value[n] = x->simple
                       ? ((const uint32_t *)slot(
                             x->w, a->inst->detail->slot[0]))[l]
                       : race_stored(a, l, address + n * RACE_WORD, 0xf);
        if ((hits[n] = ask_write(x, unit + n, now, value[n], held)) < 0)
            return false;
        held |= hits[n] > 0;
    }
    told.n = 0;
    for (size_t n = 0; n < words; n++) {
        const struct shadow *s = x->s;
        uint64_t before[3] = {s->write[unit + n], s->read[0][unit + n],
                              s->read[1][unit + n]};
        for (int k = 0; k < 3; k++)
            x->side[k].hits += hits[n] >> k & 1 &&
                               !again(x, &told, before[k], unit + n);
        x->s->write[unit + n] = now;
        x->s->value[unit + n] = value[n];
        x->s->done[unit + n] = 0;
    }
    return true;
}

uint32_t race_known(struct known *x, uint32_t lanes)
{
    const struct access *a = x->a;
    bool write = a->form->write;
    for (; lanes; lanes &= lanes - 1) {
        int l = first_lane(lanes);
        uint64_t now = x->w->tags[l] | x->site;
        if (write ? !write_lane(x, l, now) : !read_lane(x, a->addr[l], now))
            break;
    }
    return lanes;
}

void race_known_end(struct known *x)
{
    for (int n = 0; n < 3; n++)
        count(x, &x->side[n]);
}
