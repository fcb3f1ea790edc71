// SPDX-License-Identifier: MIT
/*
 * merge.c: neighbouring shared accesses that ptxas makes into one. Interface:
 * merge.h.
 *
 * An access that joins others adds what the wider one costs more than the
 * narrower ones did.
 */
#include "merge.h"

#include <string.h>

#include "simgpu/core/memory/cost.h"

enum { PIECE = 16, WORD = 4, ALL_WORDS = 15 };

void merge_begin(struct merge *m)
{
    memset(m, 0, sizeof *m);
}

/* The words of 16 bytes that all lanes access; 0: they differ, or the access
 * is no candidate. */
static uint8_t words_of(const struct access *a)
{
    uint64_t place = a->addr[first_lane(a->mask)] % PIECE;
    bool fits = a->bytes == WORD || (a->bytes == 2 * WORD && place % 8 == 0);
    if (!fits || place % WORD || a->form->kind == ACCESS_ATOMIC ||
        a->form->matrix)
        return 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        if (a->addr[first_lane(rest)] % PIECE != place)
            return 0;
    return (uint8_t)((a->bytes == WORD ? 1 : 3) << place / WORD);
}

static bool same_pieces(const struct merge_group *g, const struct access *a)
{
    if (g->mask != a->mask)
        return false;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (g->piece[l] != (uint32_t)(a->addr[l] / PIECE))
            return false;
    }
    return true;
}

static uint32_t cost(const struct access *a, uint32_t bytes)
{
    uint64_t addr[LANES] = {0};
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        addr[l] = a->addr[l] / bytes * bytes;
    }
    return access_wavefronts(addr, a->mask, bytes, access_merges(a))
        .wavefronts;
}

/* 16 bytes at once, or by halves, or words. */
static uint32_t cost_of_words(const struct access *a, uint8_t words)
{
    uint32_t sum = 0;
    if (words == ALL_WORDS)
        return cost(a, PIECE);
    for (int half = 0; half < 2; half++) {
        int n = __builtin_popcount(words >> 2 * half & 3);
        sum += n == 2 ? cost(a, 2 * WORD) : n ? cost(a, WORD) : 0;
    }
    return sum;
}

static unsigned instructions(uint8_t words)
{
    return words == ALL_WORDS ? 1 : !!(words & 3) + !!(words >> 2);
}

static struct merge_group *find(struct merge *m, const struct access *a,
                                uint64_t stretch, uint32_t base)
{
    for (uint32_t k = 0; k < MERGE_KEPT; k++) {
        struct merge_group *g = &m->group[k];
        if (g->stretch == stretch && g->base == base &&
            g->write == a->form->write && same_pieces(g, a))
            return g;
    }
    return NULL;
}

/* Nothing moves past a store that may be to the same place. */
static void forget_others(struct merge *m, bool write)
{
    for (uint32_t k = 0; k < MERGE_KEPT; k++)
        if (m->group[k].write != write)
            m->group[k].stretch = 0;
}

static void keep(struct merge *m, const struct access *a, uint64_t stretch,
                 uint32_t base, uint8_t words, uint32_t clocks)
{
    struct merge_group *g = &m->group[m->next++ % MERGE_KEPT];
    *g = (struct merge_group){
        .stretch = stretch, .mask = a->mask, .base = base, .clocks = clocks,
        .words = words, .write = a->form->write};
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        g->piece[l] = (uint32_t)(a->addr[l] / PIECE);
    }
}

void merge_forget(struct merge *m, uint32_t base)
{
    for (uint32_t k = 0; k < MERGE_KEPT; k++)
        if (m->group[k].base == base)
            m->group[k].stretch = 0;
}

uint32_t merge_access(struct merge *m, const struct access *a,
                      uint64_t stretch, uint32_t base, unsigned *fewer)
{
    uint8_t words = words_of(a);
    uint32_t alone = access_wavefronts(a->addr, a->mask, a->bytes,
                                       access_merges(a)).wavefronts;
    forget_others(m, a->form->write);
    *fewer = 0;
    if (!words)
        return alone;
    struct merge_group *g = find(m, a, stretch, base);
    if (!g || g->words & words) {
        keep(m, a, stretch, base, words, alone);
        return alone;
    }
    uint32_t all = cost_of_words(a, g->words | words), before = g->clocks;
    *fewer = 1 + instructions(g->words) - instructions(g->words | words);
    g->words |= words;
    g->clocks = all > before ? all : before;
    return g->clocks - before;
}
