// SPDX-License-Identifier: MIT
/*
 * own.h: memory for the engine's own records, which it cannot do without.
 * Larger ones come from pages_zero.
 */
#ifndef SIMGPU_OWN_H
#define SIMGPU_OWN_H

/* Returns p; aborts if it is NULL: a launch has no half result. */
void *own_not_null(void *p);

#endif
