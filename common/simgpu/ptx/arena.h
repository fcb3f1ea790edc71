// SPDX-License-Identifier: MIT
/*
 * arena.h: the memory of one PTX module, freed all at once.
 *
 *   arena_open, arena_close
 *   arena_alloc   zeroed memory, or NULL
 */
#ifndef SIMGPU_ARENA_H
#define SIMGPU_ARENA_H

#include <stddef.h>

struct arena *arena_open(void);
void arena_close(struct arena *arena);
/* Room for count elements of size bytes each, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

#endif
