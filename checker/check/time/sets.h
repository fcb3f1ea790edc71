// SPDX-License-Identifier: MIT
/*
 * sets.h: how many sets of arrays a timed call has where another process keeps
 * the arrays (a grade), and what such a call takes without work.
 *
 *   sets_in_use   whether a runner has sets at all
 *   sets_plan     of several runners that are compared with each other
 */
#ifndef CHECK_SETS_H
#define CHECK_SETS_H

#include "check/run/runner_client.h"

/* Runners that are timed in turns; those that are NULL take no part. */
struct sets_sides {
    struct runner *const *runner;
    int n;
    int copy;  /* which one copies the operator's bytes: a kernel of ours, which
                  tells the overhead. Without it nothing is taken off a call */
};

bool sets_in_use(const struct runner *runner);
/* Gives each runner its plan (runner_plan). at: the runner that was used last,
 * which a failure is about. */
enum runner_status sets_plan(const struct sets_sides *sides, int *at,
                             struct runner_failure *failure);

#endif
