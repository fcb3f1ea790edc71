// SPDX-License-Identifier: MIT
/*
 * predict.h: a stage's time on a GPU that is not there.
 *
 *   predict_phase   fills result->predicted; without a GPU, a stage that is
 *                   much slower than the one before is SLOW
 *   predict_is_wanted   whether it will ask for a time
 *   predict_wants_busiest   whether one block that does most of the work would
 *                   be judged: a GPU measures the time, but says nothing where
 *                   there is no stage before
 *   predict_ahead   the slowest part of it, while the cases run in another
 *                   thread
 *   predict_cancel  ends that part, from another thread: it is not needed
 *   predict_tall    LAUNCH, if the launcher's grid cannot be where an array has
 *                   more rows than a grid counts along y and z
 */
#ifndef CHECK_PREDICT_H
#define CHECK_PREDICT_H

#include <jansson.h>

#include "phase.h"

void predict_phase(const struct phase *phase);
bool predict_is_wanted(const struct phase *phase);
bool predict_wants_busiest(const struct phase *phase);
void predict_ahead(const struct phase *phase);
void predict_cancel(const struct phase *phase);
void predict_tall(const struct phase *phase);

#endif
