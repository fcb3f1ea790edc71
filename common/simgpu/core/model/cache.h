// SPDX-License-Identifier: MIT
/*
 * cache.h: a set-associative cache of lines that are filled by sectors.
 *
 *   cache_open, cache_close
 *   cache_touch   fetches sectors of a line; returns those that were present.
 *                 With CACHE_DIRTY they are written, and c->gone names the line
 *                 once it must leave
 *   cache_look    the same without fetching
 *   cache_forget  nothing is present any more
 */
#ifndef SIMGPU_CACHE_H
#define SIMGPU_CACHE_H

#include <stddef.h>
#include <stdint.h>

enum {
    CACHE_LINE = 128, /* bytes: of L1 and L2, CUDA Programming Guide */
    SECTOR = 32,      /* bytes: the unit of a fetch */
    CACHE_WAYS = 16,
    CACHE_DIRTY = 0x80, /* among a line's bits: it is written back */
    CACHE_SECTORS = 0x0f,
};

struct cache {
    uint64_t *line;    /* [set][way]: line number + 1; 0: empty */
    uint32_t *used;    /* clock of the last access */
    uint8_t *sectors;  /* which of its four are present: a bit each */
    uint8_t *recent;   /* [set]: the way of its last access, looked at first */
    uint32_t sets, clock;
    uint64_t gone;     /* the dirty line that left in the last touch, */
    uint8_t gone_sectors; /* and its sectors; 0: none did */
    uint32_t forgot;   /* clock of the last time that all was forgotten */
};

/* Has at least one set. Aborts if there is no memory. */
void cache_open(struct cache *c, size_t bytes);
void cache_close(struct cache *c);
uint8_t cache_touch(struct cache *c, uint64_t line, uint8_t sectors);
void cache_forget(struct cache *c);
uint8_t cache_look(const struct cache *c, uint64_t line, uint8_t sectors);

#endif
