// SPDX-License-Identifier: MIT
/*
 * swaps.h: atomics in shared memory that are loops.
 *
 *   swaps_is_loop   whether ptxas makes a loop of it
 *   swaps_add       a warp's: what it costs this warp
 *   swaps_busiest   clocks that the block's busiest word takes at least
 *   swaps_forget    a new block, or all its threads have met
 *   swaps_close
 *
 * Shared memory adds 32-bit integers by itself. For floats and for 64 bits
 * ptxas writes a loop: load the word, compute, compare-and-swap, and try again
 * if another thread was faster. Of the lanes that meet at one word, one comes
 * through per turn; of the block's warps, one per time from load to swap.
 */
#ifndef SIMGPU_SWAPS_H
#define SIMGPU_SWAPS_H

#include "simgpu/core/state/access.h"

struct swaps { /* of a block */
    uint32_t *clocks;  /* by word of shared memory: of those that came through;
                          NULL: there was none so far */
    uint32_t words, busiest;
};

struct swaps_cost {
    uint32_t port;     /* clocks of the load/store unit */
    uint32_t latency;  /* until the last lane is through */
    uint32_t slots;    /* instructions issued */
};

bool swaps_is_loop(const struct access *a);
struct swaps_cost swaps_add(struct swaps *s, const struct access *a);
uint32_t swaps_busiest(const struct swaps *s);
void swaps_forget(struct swaps *s);
void swaps_close(struct swaps *s);

#endif
