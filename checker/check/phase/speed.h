// SPDX-License-Identifier: MIT
/*
 * speed.h: how fast a stage is, and against the one before.
 *
 *   speed_measure    fills run->speed, as far as it can be known yet
 *   speed_prepare    makes its inputs
 *   speed_is_open    whether outputs are still to be compared
 *   speed_settle     waits for that; blames WRONG, SLOW or REFUSED
 *   speed_end        no further kernel is timed
 */
#ifndef CHECK_SPEED_H
#define CHECK_SPEED_H

#include "phase.h"

void speed_prepare(const struct phase *phase);
bool speed_is_open(void);
void speed_settle(void);
void speed_end(void);
/* current: of the cases, taken over. */
void speed_measure(const struct phase *phase, struct run *run,
                   struct runner *current, const struct before *before);

#endif
