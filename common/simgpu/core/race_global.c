// SPDX-License-Identifier: MIT
/*
 * race_global.c: races in global memory between the blocks of one launch.
 *
 *   global_race_open, global_race_close   a launch begins, ends
 *   global_race_worker, global_race_done  the same for each worker
 *   global_race_block                     a worker begins a block
 *   global_race_access                    an access of some lanes
 *   global_race_report                    what they add up to
 *
 * Blocks run in any order, so that nothing orders two of them but a fence and
 * an atomic (or volatile) access; after a block's first such access its own
 * are not looked at. What is left needs no order at all: a word races when
 * one block writes it and another touches it. So a word keeps the least and
 * the greatest of those who wrote and of those who read it: whichever worker
 * comes first, they come out the same, and so does the report. Blocks that
 * write one value agree. Accesses of less than a word are not looked at. Of a
 * block's reads of a word only the first counts: worker.read says so to the
 * vector handlers, which then need not come here.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "find.h"
#include "race.h"

enum {
    WORD = 4,
    GROUP = 1024, /* words that share a "touched" mark */
    SITE_BITS = 24, SOURCE_BITS = 16, THREAD_BITS = 10,
};

/* A tag says who: block + 1, thread, function and instruction. last is the
 * greatest tag, first the complement of the least; 0: nobody. */
struct reads { _Atomic uint64_t first, last; };
struct writes {
    _Atomic uint64_t first, last;
    _Atomic uint64_t value; /* ONE_VALUE | what they wrote, or MANY_VALUES */
};
#define ONE_VALUE (1ull << 32)
#define MANY_VALUES (2ull << 32)

struct global_race {
    size_t words;
    struct reads *reads;
    struct writes *writes;
    uint8_t *touched;
};

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

void global_race_open(struct run *r)
{
    if (!(r->checks & CHECK_RACES) || r->n_blocks < 2 ||
        r->n_blocks >= 1ull << (64 - SITE_BITS - THREAD_BITS))
        return;
    struct global_race *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->words = r->engine->memory.opened / WORD + MAX_VECTOR;
    g->reads = map(g->words * sizeof *g->reads);
    g->writes = map(g->words * sizeof *g->writes);
    g->touched = map(g->words / GROUP + 1);
    r->global = g;
}

void global_race_close(struct run *r)
{
    struct global_race *g = r->global;
    if (!g)
        return;
    munmap(g->reads, g->words * sizeof *g->reads);
    munmap(g->writes, g->words * sizeof *g->writes);
    munmap(g->touched, g->words / GROUP + 1);
    free(g);
    r->global = NULL;
}

void global_race_worker(struct worker *k)
{
    if (k->run->global)
        k->read = map(k->run->global->words * sizeof *k->read);
}

void global_race_done(struct worker *k)
{
    if (k->read)
        munmap(k->read, k->run->global->words * sizeof *k->read);
}

void global_race_block(struct worker *k)
{
    if (!k->read || ++k->read_stamp)
        return;
    k->read_stamp = 1; /* all stamps used: forget the old ones */
    madvise(k->read, k->run->global->words * sizeof *k->read, MADV_DONTNEED);
}

/* Notes ------------------------------------------------------------------ */

static void raise_to(_Atomic uint64_t *p, uint64_t v)
{
    uint64_t old = atomic_load_explicit(p, memory_order_relaxed);
    while (old < v && !atomic_compare_exchange_weak_explicit(
                          p, &old, v, memory_order_relaxed,
                          memory_order_relaxed))
        ;
}

static void note_value(_Atomic uint64_t *p, uint32_t value)
{
    uint64_t old = atomic_load_explicit(p, memory_order_relaxed);
    uint64_t mine = ONE_VALUE | value;
    if (old == mine || old == MANY_VALUES)
        return;
    if (old != 0 ||
        !atomic_compare_exchange_strong_explicit(p, &old, mine,
                                                 memory_order_relaxed,
                                                 memory_order_relaxed))
        raise_to(p, old == mine ? mine : MANY_VALUES);
}

static bool site_bits(const struct warp *w, const struct inst *i,
                      uint64_t *bits)
{
    const struct function *f = w->leaf->frame->function;
    uint64_t function = (uint64_t)(f - f->module->functions);
    *bits = function << SOURCE_BITS | i->source;
    return function < 1u << (SITE_BITS - SOURCE_BITS) &&
           i->source < 1u << SOURCE_BITS;
}

static void note_read(struct worker *k, size_t word, uint64_t tag)
{
    struct reads *r = &k->run->global->reads[word];
    if (k->read[word] == k->read_stamp)
        return;
    k->read[word] = k->read_stamp;
    raise_to(&r->first, ~tag);
    raise_to(&r->last, tag);
}

static void note_write(struct worker *k, size_t word, uint64_t tag,
                       uint32_t value)
{
    struct global_race *g = k->run->global;
    struct writes *w = &g->writes[word];
    __atomic_store_n(&g->touched[word / GROUP], 1, __ATOMIC_RELAXED);
    raise_to(&w->first, ~tag);
    raise_to(&w->last, tag);
    note_value(&w->value, value);
}

void global_race_access(struct warp *w, const struct inst *i, uint32_t mask,
                        const uint64_t *addr)
{
    const struct detail *t = i->detail;
    uint64_t bytes = (uint64_t)t->size * t->n, site;
    if (w->block->acquired || t->atomic || t->acquire || bytes < WORD ||
        !site_bits(w, i, &site))
        return;
    site |= (w->block->index + 1) << (SITE_BITS + THREAD_BITS) |
            (uint64_t)w->index * LANES << SITE_BITS;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t tag = site | (uint64_t)l << SITE_BITS;
        size_t word = (size_t)(addr[l] - DEVICE_BASE) / WORD;
        for (size_t k = 0; k < bytes / WORD; k++, word++)
            if (!t->write)
                note_read(w->worker, word, tag);
            else
                note_write(w->worker, word, tag,
                           race_stored_word(w, i, l, addr[l],
                                            addr[l] + k * WORD,
                                            (1u << WORD) - 1));
    }
}

/* Report ----------------------------------------------------------------- */

static uint64_t block_of(uint64_t tag)
{
    return (tag >> (SITE_BITS + THREAD_BITS)) - 1;
}

static struct site site_from(const struct run *r, uint64_t tag, bool write)
{
    const uint32_t *n = r->launch->block;
    uint32_t t = tag >> SITE_BITS & ((1u << THREAD_BITS) - 1);
    uint32_t function = tag >> SOURCE_BITS &
                        ((1u << (SITE_BITS - SOURCE_BITS)) - 1);
    const struct source *s =
        &r->kernel->module->functions[function]
             .sources[tag & ((1u << SOURCE_BITS) - 1)];
    return (struct site){s->file, s->line,
                         {t % n[0], t / n[0] % n[1], t / n[0] / n[1]},
                         write, false};
}

static void block_at(const struct run *r, uint64_t index, uint32_t id[3])
{
    const uint32_t *grid = r->launch->grid;
    id[0] = (uint32_t)(index % grid[0]);
    id[1] = (uint32_t)(index / grid[0] % grid[1]);
    id[2] = (uint32_t)(index / grid[0] / grid[1]);
}

static void accuse(struct worker *k, size_t word, uint64_t tag, bool write,
                   uint64_t writer)
{
    const struct run *r = k->run;
    uint32_t other[3];
    struct finding x = {.kind = FIND_RACE, .kernel = r->kernel->info.name,
                        .at = site_from(r, tag, write),
                        .other = site_from(r, writer, true),
                        .space = PTX_SPACE_GLOBAL, .count = 1,
                        .address = DEVICE_BASE + word * WORD, .bytes = WORD};
    block_at(r, block_of(tag), x.block);
    block_at(r, block_of(writer), other);
    about_global(r->engine, x.address, &x);
    snprintf(x.detail, sizeof x.detail,
             "that one in block (%u,%u,%u), and blocks run in any order",
             other[0], other[1], other[2]);
    found_add(k, &x, 0);
}

static void judge(struct worker *k, size_t word)
{
    const struct global_race *g = k->run->global;
    const struct reads *r = &g->reads[word];
    const struct writes *w = &g->writes[word];
    if (!w->last)
        return;
    uint64_t first = ~w->first, last = w->last;
    if (block_of(first) != block_of(last) && w->value == MANY_VALUES) {
        accuse(k, word, last, true, first);
        return;
    }
    const uint64_t reader[2] = {~r->first, r->last};
    for (int n = 0; n < 2 && r->last; n++)
        if (block_of(reader[n]) != block_of(first) ||
            block_of(reader[n]) != block_of(last)) {
            accuse(k, word, reader[n], false,
                   block_of(reader[n]) != block_of(first) ? first : last);
            return;
        }
}

void global_race_report(struct worker *k)
{
    const struct global_race *g = k->run->global;
    if (!g || k->run->fault != FAULT_NONE)
        return;
    for (size_t at = 0; at < g->words; at += GROUP)
        for (size_t n = 0; g->touched[at / GROUP] && n < GROUP &&
                           at + n < g->words; n++)
            judge(k, at + n);
}
