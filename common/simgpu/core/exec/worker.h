// SPDX-License-Identifier: MIT
/* worker.h: what executes a block. */
#ifndef SIMGPU_WORKER_H
#define SIMGPU_WORKER_H

#include "simgpu/core/state/state.h"

/* The workers of a launch on so many host threads; *n: their number. One per
 * thread; of clusters, one per block of a cluster; or, if all blocks must run
 * at once, one per block: thread t has those of blocks t, t + threads, ...
 * Aborts without memory. The caller calls worker_close for each, then
 * free(). */
struct worker *workers_open(struct run *r, int threads, int *n);
/* One more cluster's, mostly a single one, for a thread whose blocks all wait:
 * the first of them. NULL: there is no room. */
struct worker *worker_add(struct run *r);
void worker_close(struct worker *k);

#endif
