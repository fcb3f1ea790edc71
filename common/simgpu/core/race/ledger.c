// SPDX-License-Identifier: MIT
/*
 * ledger.c: which work touched which bytes last, between launches.
 *
 *   deeds_add, ledger_page, ledger_range, ledger_forget, ledger_signal
 *   see streams.h
 *
 * A page of 4096 bytes knows a few cells, and which of them a word (or a byte,
 * or the whole page) is in: what thousands of words have in common is kept and
 * judged once. A cell remembers a few accesses. Those that a plain write
 * is ordered behind are forgotten then, as whoever follows the write follows
 * them, too. What has no room is forgotten: that can hide a race, never make
 * one up. Plain writes of one value do not race, as within a launch.
 */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/own.h"

#define PLAIN_WRITE (1u << RACE_WRITE)

enum { SEEN_MOST = 6 };

struct cell {
    struct seen seen[SEEN_MOST];
    unsigned valued; /* plain writes that left the unit's value, a bit each */
};
struct page {
    uint32_t units, n;  /* of index and value; of cells */
    struct cell *cells; /* cells[0]: nobody */
    uint16_t *index;
    uint32_t *value;
};

uint16_t deeds_add(struct deeds *x, const struct deed *d)
{
    for (uint32_t k = x->n; k > 0; k--)
        if (memcmp(&x->deed[k], d, sizeof *d) == 0)
            return (uint16_t)k;
    x->deed[++x->n] = *d;
    return (uint16_t)x->n;
}

/* Conflicts --------------------------------------------------------------- */

static unsigned class_of(struct seen x)
{
    return x.site >> TAG_CLASS & 3;
}

/* Two classes of access, one of them a write, that need an order. */
static bool conflict(unsigned a, unsigned b)
{
    return ((a | b) & RACE_WRITE) && !(a & b & RACE_STRONG_READ);
}

/* The class of the deed that before races with, or -1; same: it left the value
 * that the deed leaves. */
static int clash(const struct streams *s, const struct deed *d,
                 struct seen before, bool same)
{
    if (!before.work || before.work == s->work)
        return -1;
    bool ordered = streams_before(s, before.work);
    if (ordered && before.work != s->primary)
        return -1;
    for (unsigned class = 0; class < RACE_CLASSES; class++)
        if (d->classes >> class & 1 && conflict(class, class_of(before)) &&
            (!ordered || d->site[class] & TAG_EARLY) &&
            !(same && class == RACE_WRITE && class_of(before) == RACE_WRITE))
            return (int)class;
    return -1;
}

static bool any_clash(const struct streams *s, const struct cell *c,
                      const struct deed *d)
{
    bool any = false;
    for (int n = 0; n < SEEN_MOST; n++)
        any |= clash(s, d, c->seen[n], false) >= 0;
    return any;
}

/* A place for an access of this class: the same work's, an empty one, one of
 * the class that is ordered before; at worst, any. */
static struct seen *place(const struct streams *s, struct cell *c,
                          unsigned class)
{
    for (int n = 0; n < SEEN_MOST; n++)
        if (c->seen[n].work == s->work && class_of(c->seen[n]) == class)
            return &c->seen[n];
    for (int n = 0; n < SEEN_MOST; n++)
        if (!c->seen[n].work)
            return &c->seen[n];
    for (int n = 0; n < SEEN_MOST; n++)
        if (class_of(c->seen[n]) == class &&
            streams_before(s, c->seen[n].work))
            return &c->seen[n];
    return &c->seen[s->work % SEEN_MOST];
}

static struct cell without(struct cell c, int n)
{
    c.seen[n] = (struct seen){0};
    c.valued &= ~(1u << n);
    return c;
}

/* same: the deed leaves the value that the unit has. */
static struct cell after(const struct streams *s, struct cell c,
                         const struct deed *d, bool same)
{
    for (int n = 0; d->classes & PLAIN_WRITE && n < SEEN_MOST; n++)
        if (c.seen[n].work && streams_before(s, c.seen[n].work))
            c = without(c, n);
    if (d->classes & PLAIN_WRITE && !same)
        c.valued = 0;
    for (unsigned class = 0; class < RACE_CLASSES; class++)
        if (d->classes >> class & 1) {
            int n = (int)(place(s, &c, class) - c.seen);
            c = without(c, n);
            c.seen[n] = (struct seen){
                s->work, class << TAG_CLASS | d->site[class]};
            c.valued |= class == RACE_WRITE && d->known ? 1u << n : 0;
        }
    return c;
}

/* Pages ------------------------------------------------------------------- */

static struct page **page_at(const struct streams *s, uint64_t address)
{
    return &s->pages[(address - DEVICE_BASE) / LEDGER_PAGE];
}

static struct page *new_page(void)
{
    struct page *p = own_not_null(calloc(1, sizeof *p));
    p->units = p->n = 1;
    p->cells = own_not_null(calloc(1, sizeof *p->cells));
    p->index = own_not_null(calloc(1, sizeof *p->index));
    p->value = own_not_null(calloc(1, sizeof *p->value));
    return p;
}

static void free_page(struct page *p)
{
    free(p->cells);
    free(p->index);
    free(p->value);
    free(p);
}

/* Of a word's value, that of its byte k. */
static uint32_t byte_of(uint32_t value, uint32_t k)
{
    return value >> 8 * k & 0xff;
}

/* From fewer units to more, from the last one on, in place. */
static void spread(uint16_t *index, uint32_t *value, uint32_t from,
                   uint32_t to)
{
    uint32_t parts = to / from;
    for (uint32_t n = to; n-- > 0;) {
        index[n] = index[n / parts];
        value[n] = value[n / parts];
        if (to == LEDGER_PAGE)
            value[n] = byte_of(value[n], n % RACE_WORD);
    }
}

static void divide(struct page *p, uint32_t units)
{
    p->index = own_not_null(realloc(p->index, units * sizeof *p->index));
    p->value = own_not_null(realloc(p->value, units * sizeof *p->value));
    spread(p->index, p->value, p->units, units);
    p->units = units;
}

/* Both by units of the finer one. */
static void agree(struct page *p, struct deeds *x)
{
    if (p->units < x->units)
        divide(p, x->units);
    if (x->units < p->units)
        spread(x->which, x->value, x->units, p->units);
    x->units = p->units;
}

/* A page on its way from what it was to what it is after some deeds. */
struct change {
    struct streams *s;
    struct page *p;
    struct deeds *x;
    uint64_t address;
    struct cell *cells;      /* as they will be */
    uint32_t n, room;
    struct { uint16_t to; bool known, clash; } *memo; /* a cell and a deed, and
                                the same value or not */
    ledger_accuse *accuse;
    void *context;
};

static uint16_t add_cell(struct change *c, const struct cell *cell)
{
    for (uint32_t k = c->n; k-- > 0;)
        if (memcmp(&c->cells[k], cell, sizeof *cell) == 0)
            return (uint16_t)k;
    if (c->n == c->room) {
        c->room = 2 * c->room + 4;
        c->cells = own_not_null(realloc(c->cells, c->room * sizeof *c->cells));
    }
    c->cells[c->n] = *cell;
    return (uint16_t)c->n++;
}

static bool same_value(const struct change *c, uint32_t unit)
{
    return c->x->deed[c->x->which[unit]].known &&
           c->p->value[unit] == c->x->value[unit];
}

static void accuse_all(struct change *c, uint32_t unit)
{
    const struct cell *cell = &c->p->cells[c->p->index[unit]];
    const struct deed *d = &c->x->deed[c->x->which[unit]];
    for (int n = 0; n < SEEN_MOST; n++) {
        bool same = same_value(c, unit) && cell->valued >> n & 1;
        int class = clash(c->s, d, cell->seen[n], same);
        if (class >= 0)
            c->accuse(c->context,
                      c->address + unit * (LEDGER_PAGE / c->p->units),
                      (unsigned)class, cell->seen[n]);
    }
}

static void change_unit(struct change *c, uint32_t unit)
{
    struct page *p = c->p;
    uint32_t old = p->index[unit], which = c->x->which[unit];
    const struct deed *d = &c->x->deed[which];
    bool same = which && same_value(c, unit);
    size_t pair = 2 * (old * (c->x->n + 1) + which) + same;
    if (!c->memo[pair].known) {
        struct cell now = which ? after(c->s, p->cells[old], d, same)
                                : p->cells[old];
        c->memo[pair].to = add_cell(c, &now);
        c->memo[pair].clash = which && any_clash(c->s, &p->cells[old], d);
        c->memo[pair].known = true;
    }
    if (c->memo[pair].clash)
        accuse_all(c, unit);
    p->index[unit] = c->memo[pair].to;
    if (which && d->classes & PLAIN_WRITE)
        p->value[unit] = c->x->value[unit];
}

void ledger_page(struct streams *s, uint64_t address, struct deeds *x,
                 ledger_accuse *accuse, void *context)
{
    struct page **at = page_at(s, address);
    struct page *p = *at = *at ? *at : new_page();
    s->books[(at - s->pages) / BOOK] = true;
    bool whole = x->units == 1;
    bool writes = whole && x->deed[1].classes & PLAIN_WRITE;
    agree(p, x);
    struct change c = {.s = s, .p = p, .x = x, .address = address,
                       .accuse = accuse, .context = context};
    c.memo = own_not_null(
        calloc((size_t)p->n * (x->n + 1), 2 * sizeof *c.memo));
    for (uint32_t unit = 0; unit < p->units; unit++)
        change_unit(&c, unit);
    free(c.memo);
    free(p->cells);
    p->cells = c.cells;
    p->n = c.n;
    if (whole && c.n == 1 && (!c.cells->valued || writes))
        p->units = 1; /* and one value, if it is known */
}

/* Of bytes from to to of a page, which deed 1 was done to. */
static void set_range(struct deeds *x, uint64_t from, uint64_t to,
                      uint32_t value)
{
    x->units = to - from == LEDGER_PAGE       ? 1
               : (from | to) % RACE_WORD ? LEDGER_PAGE
                                         : RACE_GROUP;
    uint32_t bytes = LEDGER_PAGE / x->units;
    for (uint32_t n = 0; n < x->units; n++) {
        x->which[n] = n >= from / bytes && n < to / bytes;
        x->value[n] = bytes == 1 ? byte_of(value, n % RACE_WORD) : value;
    }
}

void ledger_range(struct streams *s, uint64_t address, uint64_t bytes,
                  const struct deed *d, uint32_t value, ledger_accuse *accuse,
                  void *context)
{
    struct deeds *x = own_not_null(malloc(sizeof *x));
    uint64_t end = address + bytes;
    x->n = 0;
    deeds_add(x, d);
    while (address < end) {
        uint64_t start = address / LEDGER_PAGE * LEDGER_PAGE;
        uint64_t stop = start + LEDGER_PAGE < end ? start + LEDGER_PAGE : end;
        set_range(x, address - start, stop - start, value);
        ledger_page(s, start, x, accuse, context);
        address = stop;
    }
    free(x);
}

void ledger_forget(struct streams *s, uint64_t address, uint64_t bytes)
{
    struct page **p = page_at(s, address);
    struct page **end = bytes ? page_at(s, address + bytes - 1) + 1 : p;
    while (p < end) {
        size_t n = (size_t)(p - s->pages);
        if (!s->books[n / BOOK]) {
            p += BOOK - n % BOOK;
            continue;
        }
        if (*p)
            free_page(*p); /* none holds two allocations */
        *p++ = NULL;
    }
}

static uint32_t signal_of(const struct streams *s, const struct cell *c)
{
    for (int n = 0; n < SEEN_MOST; n++) {
        struct seen x = c->seen[n];
        if (x.work && x.work != s->work && s->works[x.work].fenced &&
            class_of(x) == RACE_STRONG_WRITE && !streams_before(s, x.work))
            return x.work;
    }
    return 0;
}

uint32_t ledger_signal(const struct streams *s, uint64_t address,
                       const struct deeds *x)
{
    const unsigned strong = 1u << RACE_STRONG_READ | 1u << RACE_STRONG_WRITE;
    const struct page *p = *page_at(s, address);
    uint32_t most = p && p->units > x->units ? p->units : x->units;
    for (uint32_t n = 0; p && n < most; n++) {
        const struct deed *d = &x->deed[x->which[n / (most / x->units)]];
        const struct cell *c = &p->cells[p->index[n / (most / p->units)]];
        uint32_t work = d->classes & strong ? signal_of(s, c) : 0;
        if (work)
            return work;
    }
    return 0;
}
