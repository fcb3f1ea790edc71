// SPDX-License-Identifier: MIT
/* shared_pages.h: memory that the client maps too; see shared_pages.c. */
#ifndef SIMGPU_SHARED_PAGES_H
#define SIMGPU_SHARED_PAGES_H

#include <stdlib.h>

#include "core.h"

/* 0: no memory left. */
uint64_t shared_alloc(struct engine *e, size_t bytes,
                      enum allocation_kind kind);
void shared_drop(struct engine *e, struct allocation *a);
void shared_note_writes(struct engine *e);
/* Bytes of the whole pages that hold so many. */
size_t shared_span(size_t bytes);

#endif
