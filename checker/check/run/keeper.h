// SPDX-License-Identifier: MIT
/*
 * keeper.h: the arrays of a graded launch on a GPU, in a process that never
 * loads a stage; runner_client.c calls it where a runner has a keeper.
 *
 *   keeper_load     how large the sets are
 *   keeper_run      new arrays, launches, and the time of the latter
 *   keeper_time     that for timing
 *
 * The hard idea: the clock is check's. It starts before the stage's process is
 * told where the arrays are, and stops when its answer comes. What the way
 * there and back takes is measured with a kernel that is trusted (timing.c).
 *
 * Circle with runner_client: its functions on sets of arrays are done here.
 */
#ifndef CHECK_KEEPER_H
#define CHECK_KEEPER_H

#include "runner_client.h"

enum runner_status keeper_load(struct runner *runner,
                               struct runner_failure *failure);
/* mixed: no two sets alike, as runner_mix can tell. seconds: may be NULL. */
enum runner_status keeper_run(struct runner *runner, int sets, bool mixed,
                              double *seconds, struct runner_failure *failure);
/* n calls: seconds of a launch in each. */
enum runner_status keeper_time(struct runner *runner, int n, double *seconds,
                               struct runner_failure *failure);
/* A keeper's failure is the machine's. */
enum runner_status keeper_status(enum runner_status status,
                                 struct runner_failure *failure);

#endif
