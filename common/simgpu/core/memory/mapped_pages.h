// SPDX-License-Identifier: MIT
/* mapped_pages.h: memory that the client maps too; see shared_pages.c. */
#ifndef SIMGPU_MAPPED_PAGES_H
#define SIMGPU_MAPPED_PAGES_H

#include <stdlib.h>

#include "simgpu/core/exec/core.h"

/* 0: no memory left. host: of registered memory, the client's address; else
 * 0. */
uint64_t mapped_alloc(struct engine *e, size_t bytes,
                      enum allocation_kind kind, uint64_t host);
/* The device's address of what the client knows by its own; else the same. */
uint64_t mapped_at(const struct engine *e, uint64_t host);
void mapped_drop(struct engine *e, struct allocation *a);
void mapped_note_writes(struct engine *e);

#endif
