// SPDX-License-Identifier: MIT
/* mapped_pages.h: memory that the client maps too; see mapped_pages.c. */
#ifndef SIMGPU_MAPPED_PAGES_H
#define SIMGPU_MAPPED_PAGES_H

#include <stdlib.h>

#include "memory.h"

/* 0: no memory left. host: of registered memory, the client's address; else
 * 0. */
uint64_t mapped_alloc(struct memory *m, size_t bytes,
                      enum allocation_kind kind, uint64_t host);
/* The device's address of what the client knows by its own; else the same. */
uint64_t mapped_at(const struct memory *m, uint64_t host);
void mapped_drop(struct memory *m, struct allocation *a);
void mapped_note_writes(struct memory *m);

#endif
