// SPDX-License-Identifier: MIT
/*
 * dirty.c: what L2 has yet to write back. Interface: dirty.h.
 *
 * A line that must leave for another one is chosen at random: on an H200,
 * stores that go round through a little more than L2 holds (store_16) find most
 * of their lines, of which the least recently used rule would leave none.
 */
#include "dirty.h"

#include <stdlib.h>

enum { SECTOR_WORDS = SECTOR / DIRTY_WORD, SECTORS = CACHE_LINE / SECTOR,
       ALL_WORDS = (1 << SECTOR_WORDS) - 1 };

void dirty_open(struct dirty *d, size_t bytes)
{
    size_t sets = bytes / CACHE_LINE / CACHE_WAYS;
    *d = (struct dirty){.sets = (uint32_t)(sets ? sets : 1), .random = 1};
    d->line = calloc((size_t)d->sets * CACHE_WAYS, sizeof *d->line);
    d->words = calloc((size_t)d->sets * CACHE_WAYS, sizeof *d->words);
    if (!d->line || !d->words)
        abort();
}

void dirty_close(struct dirty *d)
{
    free(d->line);
    free(d->words);
    *d = (struct dirty){0};
}

/* Xorshift: Marsaglia, Journal of Statistical Software 8, 2003. */
static uint32_t random_way(struct dirty *d)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 17;
    d->random ^= d->random << 5;
    return d->random % CACHE_WAYS;
}

/* Where the line is; else an empty place, or one whose line must leave. */
static size_t place_of(struct dirty *d, uint64_t line)
{
    uint64_t h = line * 0x9e3779b97f4a7c15ull;
    size_t set = (size_t)((h >> 32) % d->sets) * CACHE_WAYS;
    for (size_t way = set; way < set + CACHE_WAYS; way++)
        if (d->line[way] == line + 1 || d->line[way] == 0)
            return way; /* places are filled in order */
    return set + random_way(d);
}

uint32_t dirty_words(uint8_t sectors)
{
    uint32_t words = 0;
    for (int s = 0; s < SECTORS; s++)
        if (sectors >> s & 1)
            words |= (uint32_t)ALL_WORDS << s * SECTOR_WORDS;
    return words;
}

struct dirty_answer dirty_write(struct dirty *d, uint64_t line,
                                uint32_t words)
{
    size_t at = place_of(d, line);
    bool leaves = d->line[at] && d->line[at] != line + 1;
    struct dirty_answer answer = {.gone = leaves ? d->line[at] - 1 : 0};
    for (int s = 0; s < SECTORS; s++) {
        uint32_t of = d->words[at] >> s * SECTOR_WORDS & ALL_WORDS;
        if (!leaves)
            answer.was |= (uint8_t)((of != 0) << s);
        else if (of)
            of == ALL_WORDS ? answer.whole++ : answer.partly++;
    }
    d->words[at] = leaves ? words : d->words[at] | words;
    d->line[at] = line + 1;
    return answer;
}
