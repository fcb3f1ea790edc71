// SPDX-License-Identifier: MIT
/* scheduler.h: which block and which warp executes next. */
#ifndef SIMGPU_SCHEDULER_H
#define SIMGPU_SCHEDULER_H

#include "simgpu/core/state/state.h"

/* first: of the workers that this thread goes round among; its mates follow.
 * Returns when the launch has nothing left for them. */
void scheduler_work(struct worker *first);

#endif
