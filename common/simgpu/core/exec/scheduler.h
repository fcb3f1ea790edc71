// SPDX-License-Identifier: MIT
/* scheduler.h: which block and which warp executes next. */
#ifndef SIMGPU_SCHEDULER_H
#define SIMGPU_SCHEDULER_H

/* argument: a struct worker, the first of those that this thread goes round
 * among (its mates follow). Returns NULL when the launch has nothing left for
 * them. */
void *scheduler_work(void *argument);

#endif
