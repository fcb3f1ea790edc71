// SPDX-License-Identifier: MIT
/*
 * too_slow.h: whether a stage is SLOW by a time that is predicted.
 *
 *   too_slow_is_judged   whether predictions count: there is no GPU, and none
 *                        is named
 *   too_slow_predicted   by result->predicted: against the stage before, and
 *                        against the roof
 *   too_slow_at_least    by the least that its instructions take; no time is
 *                        predicted
 *   too_slow_busiest     by what its busiest block takes, whatever the others
 *                        do; false: that is not too long
 *
 * Each is SLOW only if it takes longer than is asked and the prediction may be
 * wrong by.
 */
#ifndef CHECK_TOO_SLOW_H
#define CHECK_TOO_SLOW_H

#include "bound.h"

/* The stage before. */
struct stage_before {
    double ms;              /* predicted; 0: there is none, or not known */
    char whose[PATH_BYTES];
};

bool too_slow_is_judged(const struct phase *phase);
void too_slow_predicted(const struct phase *phase);
void too_slow_at_least(const struct phase *phase, const struct bound *bound,
                       const struct stage_before *before);
bool too_slow_busiest(const struct phase *phase,
                      const struct stage_before *before);

#endif
