// SPDX-License-Identifier: MIT
/*
 * dirty.h: what L2 has yet to write back, word by word.
 *
 *   dirty_open, dirty_close
 *   dirty_write   a store into one line: what was there, and what had to leave
 */
#ifndef SIMGPU_DIRTY_H
#define SIMGPU_DIRTY_H

#include <stdbool.h>

#include "cache.h"

enum { DIRTY_WORD = 4 }; /* bytes: one bit each. A store of less counts as
                            this: its neighbour mostly brings the rest. */

struct dirty {
    uint64_t *line;     /* [set][way]: line number + 1; 0: empty */
    uint32_t *words;    /* which of its 32 were written */
    uint32_t sets, random;
};

struct dirty_answer {
    uint8_t was;           /* sectors that were waiting already: a bit each */
    uint8_t whole, partly; /* sectors that left: so many, */
    uint64_t gone;         /* of this line */
};

void dirty_open(struct dirty *d, size_t bytes);
void dirty_close(struct dirty *d);
struct dirty_answer dirty_write(struct dirty *d, uint64_t line,
                                uint32_t words);
/* The words of sectors. */
uint32_t dirty_words(uint8_t sectors);

#endif
