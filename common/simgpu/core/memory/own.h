// SPDX-License-Identifier: MIT
/*
 * own.h: memory of this process, for the engine's own records.
 *
 *   own_map   address space that costs what is touched of it
 *   must      what an allocation gave
 *
 * Both end the process (abort) where there is none: a launch has no half
 * result to give back.
 */
#ifndef SIMGPU_OWN_H
#define SIMGPU_OWN_H

#include <stddef.h>

/* bytes: all zero, in pages of the system's; freed by munmap. */
void *own_map(size_t bytes);
/* Returns p, which is not NULL. */
void *not_null(void *p);

#endif
