// SPDX-License-Identifier: MIT
/*
 * examples.h: what trees are fitted to, out of a sweep's table.
 *
 *   examples_features   of one of its shapes: M, N and K
 *   examples_train      of its training shapes: what is not given cannot be
 *                       fitted to
 */
#ifndef SWEEP_EXAMPLES_H
#define SWEEP_EXAMPLES_H

#include "op/study.h"
#include "sweep/sweep.h"

void examples_features(const struct sweep_shape *shape,
                       double feature[STUDY_FEATURES]);
/* *n of them, in the table's order; the caller frees them. */
struct study_example *examples_train(const struct sweep_table *table, int *n);

#endif
