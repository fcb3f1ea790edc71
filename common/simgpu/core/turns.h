// SPDX-License-Identifier: MIT
/* turns.h: which block and which warp executes next. */
#ifndef SIMGPU_TURNS_H
#define SIMGPU_TURNS_H

/* argument: a struct worker, the first of those that this thread goes round
 * among (its mates follow). Returns NULL when the launch has nothing left for
 * them. */
void *turns_work(void *argument);

#endif
