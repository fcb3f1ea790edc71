// SPDX-License-Identifier: MIT
/* scheduler.h: which block executes next. */
#ifndef SIMGPU_SCHEDULER_H
#define SIMGPU_SCHEDULER_H

#include "simgpu/core/state/state.h"

/* first: of the workers that this thread goes round among; its mates follow.
 * Returns true when the launch has nothing left for them; false: it is
 * followed step by step and has paused. The next call goes on there. */
bool scheduler_work(struct worker *first);

#endif
