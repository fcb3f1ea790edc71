// SPDX-License-Identifier: MIT
/*
 * sampled.h: the blocks of a launch that runs in part.
 *
 *   sampled_work      a thread's whole part in it; it is never stepped
 *   sampled_waits     a block has only asked again for long
 *   sampled_give_up   nobody is left who could end the waiting
 */
#ifndef SIMGPU_SAMPLED_H
#define SIMGPU_SAMPLED_H

#include "round.h"

enum progress sampled_work(struct worker *first, run_warp *run);
bool sampled_waits(const struct worker *k);
void sampled_give_up(struct worker *first);

#endif
