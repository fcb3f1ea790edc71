// SPDX-License-Identifier: MIT
/*
 * race_fenced.c: races in global memory where a kernel has fences, so that
 * its blocks can wait for each other.
 *
 *   race_fenced_open, race_fenced_grow, race_fenced_close
 *   race_fenced_access
 *   race_fenced_groups, race_fenced_touched, race_fenced_unit
 *                          what is known of it at the end
 *
 * The records are those of race.c with a block to each tag, and all workers
 * share them, each access under a lock: of the threads that touch a word at
 * one moment it decides nothing but which is named first.
 */
#include <stdlib.h>

#include "simgpu/core/access/place.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/pages.h"
#include "simgpu/host/threads.h"
#include "race.h"

enum { LOCKS = 256, READERS = 2 };

struct trace {
    uint64_t tag;
    uint32_t block; /* index + 1; 0: nobody */
    uint32_t value; /* of a store: what it put there */
};
struct record {
    struct trace write, read[READERS];
    bool narrow; /* of a word: its bytes have cells of their own */
};

/* Volatile stores to a word or byte: the latest ones, of a block each; and two
 * that nothing orders and whose values differ. */
enum { STORES = 4 };
struct turns {
    struct trace store[STORES], stray[2];
    bool taken; /* blocks store one after the other, as flags let them */
    struct turns *next;
};

struct race_cell {
    size_t words;
    struct record *word, *byte;
    struct turns **turns; /* of each word, or (narrow) byte; NULL: the kernel
                             has no volatile store */
    _Atomic(struct turns *) all_turns;
    uint8_t *touched;  /* RACE_GROUP words: 1: as such, 2: in bytes */
    atomic_flag lock[LOCKS];
};

static size_t turns_bytes(const struct run *r, const struct race_cell *c)
{
    return c->words * (r->narrow ? RACE_WORD : 1) * sizeof *c->turns;
}

void race_fenced_open(struct run *r)
{
    struct race_cell *c = pages_zero(sizeof *c);
    c->words = r->engine->memory.opened / RACE_WORD + MAX_VECTOR;
    c->word = pages_zero(c->words * sizeof *c->word);
    c->touched = pages_zero(c->words / RACE_GROUP + 1);
    if (r->narrow)
        c->byte = pages_zero(c->words * RACE_WORD * sizeof *c->byte);
    if (r->takes_turns)
        c->turns = pages_zero(turns_bytes(r, c));
    r->cells = c;
}

void race_fenced_grow(struct run *r)
{
    struct race_cell *c = r->cells;
    size_t had = c->words;
    size_t words = r->engine->memory.opened / RACE_WORD + MAX_VECTOR;
    size_t turns = turns_bytes(r, c);
    if (words <= c->words)
        return;
    c->words = words;
    c->word = pages_grow(c->word, had * sizeof *c->word,
                         words * sizeof *c->word);
    c->touched = pages_grow(c->touched, had / RACE_GROUP + 1,
                            words / RACE_GROUP + 1);
    if (c->byte)
        c->byte = pages_grow(c->byte, had * RACE_WORD * sizeof *c->byte,
                             words * RACE_WORD * sizeof *c->byte);
    if (c->turns)
        c->turns = pages_grow(c->turns, turns, turns_bytes(r, c));
}

void race_fenced_close(struct run *r)
{
    struct race_cell *c = r->cells;
    pages_free(c->word, c->words * sizeof *c->word);
    pages_free(c->touched, c->words / RACE_GROUP + 1);
    if (c->byte)
        pages_free(c->byte, c->words * RACE_WORD * sizeof *c->byte);
    if (c->turns)
        pages_free(c->turns, turns_bytes(r, c));
    for (struct turns *x = c->all_turns, *next; x; x = next) {
        next = x->next;
        free(x);
    }
    pages_free(c, sizeof *c);
}

struct touch {
    const struct access *a;
    struct warp *w;
    int lane;
    struct trace now;
    uint64_t address;
    struct race_told *told; /* of this lane's access */
};

static bool is_ordered(const struct touch *t, const struct trace *before)
{
    const struct block *b = t->w->block;
    if (before->block != b->index + 1) {
        const struct worker *peer = race_peer(t->w, before->block - 1);
        return (peer && race_peer_ordered(t->w, 1u << t->lane, peer->rank,
                                          before->tag)) ||
               race_released(t->w, 1u << t->lane, before->block - 1,
                             before->tag);
    }
    return before->tag < stamp_tag(b->floor) ||
           in_program_order(before->tag, t->now.tag) ||
           race_ordered(t->w, t->lane, before->tag);
}

/* Whether the scopes of both, of different blocks, include the other. */
static bool both_reach(const struct touch *t, const struct trace *before)
{
    const struct access_form *f = race_form(run_of(t->w), before->tag);
    uint8_t scope = t->a->form->scope;

    if (f && f->scope > scope)
        scope = f->scope; /* the narrower */
    return scope < SCOPE_CLUSTER ||
           (scope == SCOPE_CLUSTER && race_peer(t->w, before->block - 1));
}

static bool conflict(const struct touch *t, const struct trace *before)
{
    if (!before->block)
        return false;
    if (before->block == t->now.block)
        return race_conflict(t->a, before->tag, t->now.tag);
    unsigned a = before->tag >> TAG_CLASS & 3, b = t->now.tag >> TAG_CLASS & 3;
    if (!((a | b) & RACE_WRITE))
        return false;
    if (!(a & b & RACE_STRONG_READ))
        return true;
    const struct access_form *f = race_form(run_of(t->w), before->tag);
    return (f && race_sizes_differ(t->a->form, f)) || !both_reach(t, before);
}

/* Of two blocks the reader is accused, of two writers the later block: who
 * came first is a matter of timing. why: NULL: what is missing. */
static void accuse(const struct touch *t, const struct trace *before,
                   enum finding_kind kind, const char *why)
{
    struct run *r = run_of(t->w);
    const uint32_t *grid = r->launch->grid;
    bool swap = t->a->form->write &&
                (!(before->tag >> TAG_CLASS & RACE_WRITE) ||
                 before->block > t->now.block);
    const struct trace *at = swap ? before : &t->now;
    const struct trace *other = swap ? &t->now : before;
    struct worker *k = t->w->worker;
    struct hit hit = {hit_pair(kind, at->tag & SITE_MASK,
                               other->tag & SITE_MASK), t->address,
                      at->block - 1, tag_thread(at->tag),
                      k->order};
    if (found_again(k, &hit))
        return;
    struct finding x = {.kind = kind, .kernel = r->kernel->info.name,
                        .at = race_site_of(r, at->tag),
                        .other = race_site_of(r, other->tag),
                        .space = PTX_SPACE_GLOBAL, .count = 1,
                        .address = t->address};
    uint32_t id[3];
    race_block_at(grid, at->block - 1, x.block);
    race_block_at(grid, other->block - 1, id);
    place_about_global(r->engine, x.address, &x);
    race_bytes(&x);
    int n = snprintf(x.detail, sizeof x.detail,
                     "that one in block (%u,%u,%u), and ", id[0], id[1],
                     id[2]);
    char *text = x.detail + n;
    size_t room = sizeof x.detail - (size_t)n;
    *text = '\0';
    if (why)
        snprintf(text, room, "%s", why);
    else if (!swap)
        race_why(t->w, before->block - 1, before->tag, text, room);
    if (!*text)
        snprintf(text, room, "nothing orders the two");
    found_add(k, &x, k->order);
    found_remember(k, &hit);
}

/* Hits of before with this access: the first one? */
static bool is_news(const struct touch *t, const struct trace *before,
                    enum finding_kind kind)
{
    return !race_told(run_of(t->w), t->told, before->tag, before->block,
                      t->address, kind);
}

enum meeting { NO_HIT, HIT_EQUAL, HIT_RACE };

static enum meeting look_at(const struct touch *t, const struct trace *before)
{
    uint64_t class = 3ull << TAG_CLASS, write = (uint64_t)RACE_WRITE
                                                << TAG_CLASS;
    if (!conflict(t, before) || is_ordered(t, before))
        return NO_HIT;
    bool equal = (before->tag & class) == write &&
                 (t->now.tag & class) == write &&
                 t->a->form->kind != ACCESS_COPY &&
                 t->a->form->kind != ACCESS_BULK &&
                 before->value == t->now.value &&
                 t->a->form->kind != ACCESS_FREE &&
                 !race_is_free(run_of(t->w), before->tag);
    enum finding_kind kind = equal ? FIND_EQUAL_WRITES : FIND_RACE;
    if (!is_news(t, before, kind))
        ;
    else if (before->block == t->now.block)
        race_accuse(t->a, t->lane, t->address, before->tag, kind);
    else
        accuse(t, before, kind,
               equal ? race_equal_words(run_of(t->w), t->now.tag, before->tag)
                     : NULL);
    return equal ? HIT_EQUAL : HIT_RACE;
}

/* The same thread did both; an atomic whose scope is narrower stays apart, for
 * it may race where the wider one does not, and so does a strong write before a
 * read. */
static bool same(const struct touch *t, const struct trace *a)
{
    if (a->block != t->now.block || !same_thread(a->tag, t->now.tag) ||
        (a->tag & ~t->now.tag) >> TAG_CLASS & RACE_WRITE)
        return false;
    const struct access_form *f = race_form(run_of(t->w), a->tag);
    return !f || !f->strong || f->scope <= t->a->form->scope;
}

/* As far as can be told soon: it decides only what is forgotten. */
static bool is_over(const struct touch *t, const struct trace *before)
{
    const struct block *b = t->w->block;
    if (before->block == b->index + 1 || race_peer(t->w, before->block - 1))
        return is_ordered(t, before);
    return race_released_soon(t->w, 1u << t->lane, before->block - 1,
                              before->tag);
}

/* The place of a reader that is none, this one, or ordered before. A thread's
 * copies have a place each, and one that has landed takes that of a copy. */
static struct trace *place_for(const struct touch *t, struct record *c)
{
    for (int n = 0; n < READERS && t->a->part == PART_LANDED; n++)
        if (is_under_way(c->read[n].tag) && same(t, &c->read[n]))
            return &c->read[n];
    for (int n = 0; n < READERS; n++)
        if (!c->read[n].block ||
            (same(t, &c->read[n]) && !is_under_way(c->read[n].tag)))
            return &c->read[n];
    for (int n = 0; n < READERS; n++)
        if (is_over(t, &c->read[n]))
            return &c->read[n];
    return &c->read[READERS - 1];
}

/* See race_words.c; writes of blocks outside the cluster pass. */
static void look_proxy(const struct touch *t, const struct trace *before)
{
    const struct worker *k = t->w->worker;
    const struct worker *by = before->block == t->now.block
                                  ? k : race_peer(t->w, before->block - 1);
    if (!before->block || !by || !is_ordered(t, before) ||
        race_proxy_fenced(t->w, t->lane, by, before->tag, false))
        return;
    if (is_news(t, before, FIND_PROXY))
        race_proxy_accuse(t->a, t->lane, t->address, before->tag);
}

static void look_stale(const struct touch *t, const struct trace *before)
{
    if (before->block && before->tag >> TAG_CLASS & RACE_WRITE &&
        is_news(t, before, FIND_RACE))
        race_stale_accuse(t->a, t->lane, t->address, before->tag);
}

static bool alike(const struct trace *a, const struct trace *b)
{
    return a->block && b->block && race_writes_alike(a->tag, b->tag);
}

/* See look_at_both in race_words.c. */
static void look_at_all(const struct touch *t, const struct record *c)
{
    enum meeting with = look_at(t, &c->write);
    for (int n = 0; n < READERS; n++) {
        if (with == HIT_EQUAL && alike(&c->read[n], &c->write))
            continue;
        if (n > 0 && alike(&c->read[n], &c->read[n - 1]))
            continue;
        if (look_at(t, &c->read[n]) == HIT_RACE)
            return;
    }
}

static void look(const struct touch *t, const struct record *c)
{
    if (t->a->form->constant) {
        look_stale(t, &c->write);
        for (int n = 0; n < READERS; n++)
            look_stale(t, &c->read[n]);
    }
    if (t->a->form->proxy == PROXY_ASYNC) {
        look_proxy(t, &c->write);
        for (int n = 0; n < READERS; n++)
            look_proxy(t, &c->read[n]);
    }
    look_at_all(t, c);
}

static struct turns *turns_at(struct race_cell *c, size_t at)
{
    struct turns *x = c->turns[at];
    if (x)
        return x;
    x = c->turns[at] = own_not_null(calloc(1, sizeof *x));
    x->next = atomic_load(&c->all_turns);
    while (!atomic_compare_exchange_weak(&c->all_turns, &x->next, x))
        ;
    return x;
}

/* Compares a store with those of other blocks, and takes the place of one that
 * comes before it. */
static void take_turn(const struct touch *t, struct turns *x)
{
    struct trace *place = &x->store[STORES - 1];
    for (int n = STORES - 1; n >= 0; n--) {
        struct trace *s = &x->store[n];
        bool other = s->block && s->block != t->now.block;
        bool follows = other && is_ordered(t, s);
        x->taken |= follows;
        if (!other || follows) {
            place = s;
        } else if (s->value != t->now.value) {
            x->stray[0] = t->now;
            x->stray[1] = *s;
        }
    }
    *place = t->now;
}

/* To PTX volatile stores do not race. But where blocks store in turn, as a lock
 * lets them, one that nothing orders loses what another has stored: whichever
 * of them comes first. */
static void look_for_turns(const struct touch *t, size_t at)
{
    const struct access_form *f = t->a->form;
    if (!f->is_volatile || f->kind != ACCESS_STORE)
        return;
    struct turns *x = turns_at(run_of(t->w)->cells, at);
    take_turn(t, x);
    if (!x->taken || !x->stray[0].block)
        return;
    struct touch late = *t;
    late.now = x->stray[0];
    accuse(&late, &x->stray[1], FIND_RACE, "blocks take turns at storing here, "
           "but not these two: volatile is no lock");
    x->stray[0].block = 0;
}

/* See race_words.c. */
static void keep_equal(const struct touch *t, struct record *c)
{
    if (t->a->form->kind != ACCESS_STORE || !c->write.block ||
        c->write.value != t->now.value || is_ordered(t, &c->write))
        return;
    for (int n = 0; n < READERS; n++)
        if (!c->read[n].block || is_ordered(t, &c->read[n])) {
            c->read[n] = c->write;
            return;
        }
}

/* at: the cell's place among turns. */
static void touch_cell(const struct touch *t, struct record *c, size_t at)
{
    if (t->a->part != PART_LANDED) {
        look(t, c);
        look_for_turns(t, at);
    }
    if ((t->now.tag >> TAG_CLASS & 3) != RACE_WRITE) {
        *place_for(t, c) = t->now;
        return;
    }
    keep_equal(t, c);
    c->write = t->now;
}

static void narrow(struct trace *x, unsigned byte)
{
    x->value = x->value >> 8 * byte & 0xff;
}

static void split(struct record *word, struct record *bytes)
{
    for (int n = 0; n < RACE_WORD; n++) {
        bytes[n] = *word;
        narrow(&bytes[n].write, n);
        for (int k = 0; k < READERS; k++)
            narrow(&bytes[n].read[k], n);
    }
    word->narrow = true;
}

static void split_turns(struct race_cell *c, size_t at)
{
    if (!c->turns || !c->turns[at])
        return;
    struct turns word = *c->turns[at];
    for (unsigned n = 0; n < RACE_WORD; n++) {
        struct turns *byte = turns_at(c, at + n), *next = byte->next;
        *byte = word;
        byte->next = next;
        for (int k = 0; k < STORES; k++)
            narrow(&byte->store[k], n);
        byte->stray[0].block = 0;
    }
}

static void note_group(uint8_t *touched, uint8_t how)
{
    if (!(__atomic_load_n(touched, __ATOMIC_RELAXED) & how))
        __atomic_fetch_or(touched, how, __ATOMIC_RELAXED);
}

/* A fresh page that is read first is mapped twice (race.h, race_own_pages). */
static void own(struct record *c)
{
    __atomic_fetch_or((unsigned char *)c, 0, __ATOMIC_RELAXED);
}

static void touch_word(struct touch *t, size_t word, uint8_t bytes)
{
    struct race_cell *all = run_of(t->w)->cells;
    struct record *c = &all->word[word], *first;
    own(c);
    bool whole = bytes == (1u << RACE_WORD) - 1;
    uint8_t how = whole && !c->narrow ? 1 : 2;
    note_group(&all->touched[word / RACE_GROUP], how);
    size_t at = all->byte ? word * RACE_WORD : word;
    if (how == 1) {
        touch_cell(t, c, at);
        return;
    }
    first = &all->byte[at];
    if (!c->narrow) {
        split(c, first);
        split_turns(all, at);
    }
    struct touch one = *t;
    for (unsigned n = 0; n < RACE_WORD; n++) {
        one.now.value = t->now.value;
        one.address = t->address + n;
        narrow(&one.now, n);
        if (bytes >> n & 1)
            touch_cell(&one, first + n, at + n);
    }
}

static void touch_lane(struct touch *t)
{
    const struct access *a = t->a;
    uint64_t address = a->addr[t->lane], end = race_end(a, t->lane);
    uint64_t word = address & ~(uint64_t)(RACE_WORD - 1);
    t->now = (struct trace){.tag = race_tag(a, t->lane),
                            .block = (uint32_t)t->w->block->index + 1};
    for (; word < end; word += RACE_WORD) {
        size_t n = (word - DEVICE_BASE) / RACE_WORD;
        uint8_t bytes = race_bytes_in(address, end, word);
        atomic_flag *lock = &run_of(t->w)->cells->lock[n % LOCKS];
        t->address = word;
        if (a->form->write)
            t->now.value = race_stored(a, t->lane, word, bytes);
        while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
            threads_yield();
        touch_word(t, n, bytes);
        atomic_flag_clear_explicit(lock, memory_order_release);
    }
}

void race_fenced_access(const struct access *a)
{
    struct race_told told;
    struct touch t = {.a = a, .w = a->warp, .told = &told};
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        t.lane = first_lane(rest);
        told.n = 0;
        touch_lane(&t);
    }
}

/* The end ----------------------------------------------------------------- */

size_t race_fenced_groups(const struct run *r)
{
    return r->cells->words / RACE_GROUP;
}

unsigned race_fenced_touched(const struct run *r, size_t group)
{
    return r->cells->touched[group];
}

static void add_trace(struct race_unit *x, const struct trace *trace)
{
    if (trace->block)
        x->tag[trace->tag >> TAG_CLASS & 3] =
            stamp_tag(trace->block) | (trace->tag & UINT32_MAX);
}

void race_fenced_unit(const struct run *r, int narrow, size_t unit,
                      struct race_unit *x)
{
    const struct race_cell *all = r->cells;
    size_t word = narrow ? unit / RACE_WORD : unit;
    bool bytes = narrow && all->word[word].narrow;
    const struct record *c = bytes ? &all->byte[unit] : &all->word[word];
    *x = (struct race_unit){.value = c->write.value};
    if (narrow && !bytes)
        x->value = c->write.value >> 8 * (unit % RACE_WORD) & 0xff;
    add_trace(x, &c->write);
    for (int n = 0; n < READERS; n++)
        add_trace(x, &c->read[n]);
}
