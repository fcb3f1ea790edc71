// SPDX-License-Identifier: MIT
/*
 * freed.h: what freed allocations still take of the host's memory.
 *
 *   freed_is_due   much was freed since the last freed_return
 *   freed_return   gives that back
 *
 * memory_free gives back the pages of a freed array at once, except those at
 * its ends. What is left are these, the pages of its bits, and the race
 * records of its words, which may take more than the array did.
 */
#ifndef SIMGPU_FREED_H
#define SIMGPU_FREED_H

#include "memory.h"

bool freed_is_due(const struct memory *m);
/* These bytes belong to no allocation that lives. */
typedef void freed_drop(void *context, uint64_t address, uint64_t end);
/* Calls drop, too, on each range that it gives back. */
void freed_return(struct memory *m, freed_drop *drop, void *context);

#endif
