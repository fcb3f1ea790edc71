// SPDX-License-Identifier: MIT
/*
 * round.h: a worker's block, from its first round to its last.
 *
 *   round_begin        the worker's next block starts: that of its order
 *   round_start        a block of the grid starts
 *   round_run          a slice of each warp
 *   round_alone        the same of a block that depends on no other one
 *   round_end          the block has ended
 *   round_stopped      does a fault end it?
 *   round_paused       has the launch to pause?
 *   round_unblock      nobody in the block can run: those that may go on anyway
 *   round_over_budget  the launch has spent its budget, says this warp
 *   round_order        the n-th of count in an order drawn from a seed
 */
#ifndef SIMGPU_ROUND_H
#define SIMGPU_ROUND_H

#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/state/state.h"

enum progress { ENDED, UNDER_WAY, PAUSED };

void round_begin(struct worker *k);
/* index: its number in the grid. */
void round_start(struct worker *k, uint64_t index);
/* run: of the launch's lanes. PAUSED: the next call goes on there. */
enum progress round_run(struct worker *k, run_warp *run);
enum progress round_alone(struct worker *k, run_warp *run);
void round_end(struct worker *k);
bool round_stopped(const struct worker *k);
bool round_paused(const struct run *r);
/* false: nobody ever will. */
bool round_unblock(struct block *b);
void round_over_budget(struct worker *k, struct warp *w);
uint64_t round_order(uint64_t n, uint64_t count, uint64_t seed);

#endif
