// SPDX-License-Identifier: MIT
/*
 * suspect.h: values that a shuffle took from a lane that gave none, and
 * elements of vectors that nobody wrote.
 *
 *   suspect_exchange   a shuffle has given its lanes their values
 *   suspect_vector     a load has given its lanes theirs
 *   suspect_forget     no register holds such a value
 *
 * While a register does, warp->follower looks at each instruction of the warp:
 * lanes_run.c's followed loop executes it.
 */
#ifndef SIMGPU_SUSPECT_H
#define SIMGPU_SUSPECT_H

#include "simgpu/core/state/state.h"

/* from: which lane each lane of mask has read; members: the named ones. */
void suspect_exchange(struct warp *w, const struct inst *i, uint32_t mask,
                      const uint8_t from[LANES], uint32_t members);
/* lanes, unset: as values_partly says. */
void suspect_vector(const struct access *a, uint32_t lanes,
                    const uint8_t unset[LANES]);
void suspect_forget(struct warp *w);

#endif
