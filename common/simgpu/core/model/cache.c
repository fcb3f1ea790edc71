// SPDX-License-Identifier: MIT
/*
 * cache.c: a set-associative cache that replaces the least recently used line.
 * Interface: cache.h.
 *
 * The set is a hash of the line's number, as in a GPU's caches, so that a
 * power of two between rows does not crowd them into a few sets.
 */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

void cache_open(struct cache *c, size_t bytes)
{
    size_t sets = bytes / CACHE_LINE / CACHE_WAYS;
    *c = (struct cache){.sets = (uint32_t)(sets ? sets : 1)};
    size_t lines = (size_t)c->sets * CACHE_WAYS;
    c->line = calloc(lines, sizeof *c->line);
    c->used = calloc(lines, sizeof *c->used);
    c->sectors = calloc(lines, sizeof *c->sectors);
    c->recent = calloc(c->sets, sizeof *c->recent);
    if (!c->line || !c->used || !c->sectors || !c->recent)
        abort();
}

void cache_close(struct cache *c)
{
    free(c->line);
    free(c->used);
    free(c->sectors);
    free(c->recent);
    *c = (struct cache){0};
}

static size_t set_of(const struct cache *c, uint64_t line)
{
    uint64_t h = line * 0x9e3779b97f4a7c15ull;
    return (size_t)((h >> 32) % c->sets) * CACHE_WAYS;
}

/* Where the line is in its set; CACHE_WAYS: nowhere. */
static int find_way(const struct cache *c, size_t set, uint64_t line)
{
    int way = c->recent[set / CACHE_WAYS];
    if (c->line[set + (size_t)way] == line + 1)
        return way;
    way = 0;
    while (way < CACHE_WAYS && c->line[set + (size_t)way] != line + 1)
        way++;
    return way;
}

static size_t oldest(const struct cache *c, size_t set)
{
    size_t at = set;
    for (size_t k = set + 1; k < set + CACHE_WAYS; k++)
        if ((int32_t)(c->used[k] - c->used[at]) < 0)
            at = k;
    return at;
}

uint8_t cache_look(const struct cache *c, uint64_t line, uint8_t sectors)
{
    size_t set = set_of(c, line);
    int way = find_way(c, set, line);
    return way < CACHE_WAYS ? c->sectors[set + (size_t)way] & sectors : 0;
}

void cache_forget(struct cache *c)
{
    if (c->clock == c->forgot)
        return; /* nobody touched it since */
    memset(c->line, 0, (size_t)c->sets * CACHE_WAYS * sizeof *c->line);
    c->forgot = c->clock;
}

uint8_t cache_touch(struct cache *c, uint64_t line, uint8_t sectors)
{
    size_t set = set_of(c, line), at;
    int way = find_way(c, set, line);
    c->gone_sectors = 0;
    if (way < CACHE_WAYS) {
        at = set + (size_t)way;
    } else {
        at = oldest(c, set);
        if (c->sectors[at] & CACHE_DIRTY && c->line[at]) {
            c->gone = c->line[at] - 1;
            c->gone_sectors = c->sectors[at] & CACHE_SECTORS;
        }
        c->line[at] = line + 1;
        c->sectors[at] = 0;
    }
    uint8_t there = c->sectors[at] & sectors & CACHE_SECTORS;
    c->sectors[at] |= sectors;
    c->used[at] = ++c->clock;
    c->recent[set / CACHE_WAYS] = (uint8_t)(at - set);
    return there;
}
