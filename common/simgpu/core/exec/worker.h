// SPDX-License-Identifier: MIT
/* worker.h: what executes a block. */
#ifndef SIMGPU_WORKER_H
#define SIMGPU_WORKER_H

#include "simgpu/core/state/state.h"

/* The workers of a launch on so many host threads; n: how many they are. One
 * a thread, or, where all blocks must be there at once, one a block: thread t
 * has those of blocks t, t + threads, ... Aborts without memory. Freed by
 * free() after worker_close of each. */
struct worker *workers_open(struct run *r, int threads, int *n);
void worker_close(struct worker *k);

#endif
