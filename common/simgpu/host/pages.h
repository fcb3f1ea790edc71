// SPDX-License-Identifier: MIT
/*
 * pages.h: large memory from the host system.
 *
 *   pages_bytes                     size of a page
 *   pages_reserve, pages_open       address space first, memory later
 *   pages_zero, pages_grow          zeroed memory that costs what is touched
 *   pages_drop                      give the contents back
 *   pages_free
 *   pages_map, pages_unmap, pages_touched   memory that a client maps too
 *   pages_resident, pages_beyond    what this process takes by now
 *
 * linux/pages.c asks the kernel for pages; plain/pages.c has only malloc, for
 * hosts without an operating system, where everything costs at once what it
 * could cost.
 */
#ifndef SIMGPU_PAGES_H
#define SIMGPU_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t pages_bytes(void);

/* Address space of so many bytes, not yet accessible; NULL: no room. */
void *pages_reserve(size_t bytes);
/* Makes the first bytes of a reserve accessible (again); they begin as zeros.
 * false: no memory. */
bool pages_open(void *reserve, size_t bytes);

/* Zeroed memory. Aborts without memory: the engine's own records have no
 * half. */
void *pages_zero(size_t bytes);
/* Moves memory of pages_zero to a larger place; what is new is zero. old may
 * be NULL. Aborts without memory. */
void *pages_grow(void *old, size_t from, size_t to);
/* Whole pages become zeros again and cost nothing until they are touched. */
void pages_drop(void *p, size_t bytes);
/* Takes back what pages_reserve, pages_zero or pages_grow gave; p may be
 * NULL. */
void pages_free(void *p, size_t bytes);

/* Backs whole pages at p (part of an open reserve) by a file without a name
 * and returns its descriptor, which a client can map; -1: no memory. Where no
 * client can exist the memory stays as it is, and the descriptor is 1. */
int pages_map(void *p, size_t bytes);
/* The pages are ordinary memory again, zeroed; closes the descriptor. */
void pages_unmap(void *p, size_t bytes, int file);
/* The next part of [*first, bytes) that somebody touched, as offsets
 * [*first, *end) of the file; false: none. */
bool pages_touched(int file, size_t bytes, size_t *first, size_t *end);

/* Bytes of the host's memory that this process takes; 0: nobody knows. */
uint64_t pages_resident(void);
/* Are they more than so many? To ask costs as much as many instructions, so it
 * is asked after some time (*asked, in nanoseconds), in which no thread can
 * touch much; again at once where they are. */
bool pages_beyond(uint64_t most, uint64_t *asked);

#endif
