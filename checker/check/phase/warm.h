// SPDX-License-Identifier: MIT
/*
 * warm.h: the GPU warms up while nvcc and the simulated GPU are at work.
 *
 *   warm_begin   takes a runner that was begun; measures the ceilings that are
 *                not known yet, then copies, as many bytes as `phase` is timed
 *                against. Nothing where cores are few, and for a grade
 *   warm_await_ceilings   before anything else runs on the GPU
 *   warm_end     waits for it; the copy is kept for timing (sides.h)
 */
#ifndef CHECK_WARM_H
#define CHECK_WARM_H

#include "phase.h"

void warm_begin(const struct phase *phase);
void warm_await_ceilings(void);
void warm_end(void);

#endif
