// SPDX-License-Identifier: MIT
/*
 * footprint.h: a bound on the host's memory that a kernel can make us take.
 *
 *   worker_over_footprint   more than engine_config.host_bytes? Seldom measured
 *   warp_judge_footprint    then the warp, which is about to run, has a fault
 *
 * What a kernel touches costs its bytes and the records of them, several times
 * as much: a store of one byte to each page of a large array takes all memory
 * long before its budget of instructions.
 */
#ifndef SIMGPU_FOOTPRINT_H
#define SIMGPU_FOOTPRINT_H

#include "simgpu/core/state/state.h"

bool worker_over_footprint(struct worker *k);
bool warp_judge_footprint(struct worker *k, struct warp *w);

#endif
