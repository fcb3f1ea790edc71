// SPDX-License-Identifier: MIT
/*
 * uniform.h: random numbers that a seed decides, the same on every machine.
 *
 *   uniform_next
 */
#ifndef SWEEP_UNIFORM_H
#define SWEEP_UNIFORM_H

#include <stdint.h>

/* In [0, 1); *state is the seed, and moves on. */
double uniform_next(uint64_t *state);

#endif
