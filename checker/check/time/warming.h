// SPDX-License-Identifier: MIT
/*
 * warming.h: launches until the GPU's clocks have settled.
 *
 *   warming_up    sizes all batches; then turns, until no side's times move
 *   warming_keep  launches what a runner has until it is told to stop
 */
#ifndef CHECK_WARMING_H
#define CHECK_WARMING_H

#include <stdatomic.h>

#include "meter.h"

enum runner_status warming_up(struct meter *m);
/* What it warms, warming_up need not. */
void warming_keep(struct runner *runner, const atomic_bool *stop);

#endif
