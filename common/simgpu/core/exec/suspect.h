// SPDX-License-Identifier: MIT
/*
 * suspect.h: values that a shuffle took from a lane that gave none, and
 * loaded ones that nobody wrote, but that may be thrown away.
 *
 *   suspect_exchange   a shuffle has given its lanes their values
 *   suspect_load       a load has given its lanes theirs
 *   suspect_forget     no register holds such a value
 *   suspect_close      the warp ends for good
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
void suspect_load(const struct access *a, uint32_t lanes,
                  const uint8_t unset[LANES]);
void suspect_forget(struct warp *w);
void suspect_close(struct warp *w);

#endif
