// SPDX-License-Identifier: MIT
/*
 * merge.h: neighbouring shared accesses that ptxas makes into one.
 *
 *   merge_begin    a warp starts
 *   merge_access   clocks that an access adds, and the instructions that it
 *                  saves by joining one that came before
 *   merge_forget   a register has a new value: no access joins those by the
 *                  old one
 *
 * ptxas sees that loads (or stores) of one stretch of code lie side by side
 * within 16 bytes, and makes one instruction of them, of 8 or 16 bytes per
 * lane: tests/hardware/explained and ladders-explained name where an H200
 * counted that ("merged"). Seen from the addresses, which is what the observer
 * has: in every lane the words lie in the same 16 bytes, at the same place in
 * them.
 */
#ifndef SIMGPU_MERGE_H
#define SIMGPU_MERGE_H

#include "simgpu/core/state/access.h"

enum { MERGE_KEPT = 16 }; /* groups that a warp may add to: the latest */

struct merge_group {
    uint64_t stretch;        /* of code: none is 0 */
    uint32_t piece[LANES];   /* address / 16 */
    uint32_t mask, base;     /* base: the register of the address */
    uint32_t clocks;         /* charged so far */
    uint8_t words;           /* of the piece: a bit each */
    bool write;
};

struct merge {
    struct merge_group group[MERGE_KEPT];
    uint32_t next;
};

void merge_begin(struct merge *m);
/* stretch: any number that differs from that of other stretches. base: of the
 * address. *fewer: becomes the number of instructions saved. */
uint32_t merge_access(struct merge *m, const struct access *a,
                      uint64_t stretch, uint32_t base, unsigned *fewer);
void merge_forget(struct merge *m, uint32_t base);

#endif
