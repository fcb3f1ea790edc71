// SPDX-License-Identifier: MIT
/*
 * predict.h: a stage's time on a GPU that is not there.
 *
 *   predict_phase   fills result->predicted; without a GPU, a stage that is
 *                   much slower than the one before is SLOW
 */
#ifndef CHECK_PREDICT_H
#define CHECK_PREDICT_H

#include "phase.h"

void predict_phase(const struct phase *phase);

#endif
