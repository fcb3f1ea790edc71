// SPDX-License-Identifier: MIT
/*
 * unpredicted.h: why no time is predicted, as a note of the report, and how to
 * see what a few blocks do not show.
 *
 *   unpredicted_elsewhere   on the GPU that GPU= names
 *   unpredicted_here        the sampled blocks did not run to their ends
 *   unpredicted_moves       they move less than the arrays have
 *   unpredicted_computes    they do less than half of the flops
 */
#ifndef CHECK_UNPREDICTED_H
#define CHECK_UNPREDICTED_H

#include "phase.h"

/* report: the device's; or NULL. */
void unpredicted_elsewhere(const struct phase *phase, const json_t *report);
void unpredicted_here(const struct phase *phase, const json_t *report);
void unpredicted_moves(const struct phase *phase, const struct predicted *p);

void unpredicted_computes(const struct phase *phase);

#endif
