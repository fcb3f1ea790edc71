// SPDX-License-Identifier: MIT
/*
 * known.h: what the simulated GPU said of a stage that has not changed.
 *
 *   known_run    takes it over; false: nothing is known, or it does not count
 *   known_keep   keeps it for the next check
 *   known_begin  reads the programs that check, while nvcc works
 *
 * What a stage does on given cases follows from its code, the cases and the
 * programs that check it. So a kernel that was not edited is not run again:
 * the result stands, with the seed that it was checked with. Only results that
 * are right are kept. A hand-in, a grade and chosen cases are always run.
 */
#ifndef CHECK_KNOWN_H
#define CHECK_KNOWN_H

#include "phase.h"

void known_begin(const struct workbook *workbook);
bool known_run(const struct phase *phase);
/* Does nothing where it cannot write: the next check runs the cases again. */
void known_keep(const struct phase *phase);

#endif
