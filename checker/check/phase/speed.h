// SPDX-License-Identifier: MIT
/*
 * speed.h: how fast a stage is, and against the one before.
 *
 *   speed_measure    fills run->speed; blames SLOW or REFUSED
 *   speed_runners    runners that it will need, besides the one of the cases
 *   speed_end        no further kernel is timed
 */
#ifndef CHECK_SPEED_H
#define CHECK_SPEED_H

#include "phase.h"

int speed_runners(const struct phase *phase);
void speed_end(void);
/* current: of the cases, taken over. memory: the GPU's bytes; a time_shape too
 * large for it is shrunk. */
void speed_measure(const struct phase *phase, struct run *run,
                   struct runner *current, size_t memory);

#endif
