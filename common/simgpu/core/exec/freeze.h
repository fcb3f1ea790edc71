// SPDX-License-Identifier: MIT
/*
 * freeze.h: the clock of a launch that does nothing but poll.
 *
 *   freeze_clock   what a clock shows
 *   freeze_host    the host's clock, and by how much launches are ahead of it
 *   freeze_round   a block has had a round: for so many all blocks must have
 *                  polled now, so that the clock stops; or 0
 *   freeze_begin   it stops
 *   freeze_timed   would it go on if its clock did, perhaps?
 *   freeze_leap    the clock leaps; false: as far as it was to go
 *   freeze_again   a launch that has paused goes on, and its clock, too
 *
 * A loop that polls and reads a clock, for a time-out or to sleep for longer
 * and longer, never comes back to the same registers. So if all blocks have
 * polled for long, and one of them read a clock, the clock stops. If all warps
 * repeat themselves then (still.h), only time can change anything; and if
 * nobody else can run, the clock leaps to later and later times, by days at
 * last: whoever waits for a time goes on at one of them. If all warps repeat
 * themselves at each of these times, they do so for ever.
 */
#ifndef SIMGPU_FREEZE_H
#define SIMGPU_FREEZE_H

#include "simgpu/core/state/state.h"

uint64_t freeze_clock(struct warp *w);
uint64_t freeze_host(const struct engine *e);
/* did: how much the worker has done that may change memory. */
unsigned freeze_round(struct worker *k, uint64_t did);
void freeze_begin(struct run *r);
/* These two are asked with the run's lock held. */
bool freeze_timed(const struct run *r);
bool freeze_leap(struct run *r);
void freeze_again(struct run *r);

#endif
