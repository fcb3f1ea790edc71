// SPDX-License-Identifier: MIT
/*
 * gpucases.h: all cases of one stage on a GPU.
 */
#ifndef CHECK_GPUCASES_H
#define CHECK_GPUCASES_H

#include "check/run/runner_client.h"
#include "phase.h"

/* Counts them in run, and blames what is wrong. The runner has no case loaded
 * yet. */
void gpu_run_cases(const struct phase *phase, struct runner *runner,
                   struct run *run);

#endif
