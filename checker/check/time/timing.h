// SPDX-License-Identifier: MIT
/*
 * timing.h: how fast a stage is, and how much faster than the one before.
 *
 *   timing_compare    alternates batches of two or three runners on one GPU
 *
 * The runners have a case loaded and inputs uploaded. Batches alternate, so
 * that a drifting clock falls on all alike; each launch is timed by itself
 * with a cold L2. Measuring ends when the interval of every median is within
 * 1 % of it, or a bound is hit; a launch of several ms takes fewer samples for
 * that. After it, the outputs of the last launch can be downloaded and
 * compared: they were poisoned before it.
 */
#ifndef CHECK_TIMING_H
#define CHECK_TIMING_H

#include "timed.h"

enum runner_status timing_compare(const struct timing_config *config,
                                  struct timing *timing,
                                  struct runner_failure *failure);

#endif
