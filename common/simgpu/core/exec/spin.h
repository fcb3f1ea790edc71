// SPDX-License-Identifier: MIT
/*
 * spin.h: warps that wait for others in a loop.
 *
 *   spin_look     an access that such loops make has returned
 *   spin_wrote    such an access is about to be made
 *   spin_forget   what it asked before
 *   spin_resume, spin_pause   the warp's slice begins, ends
 *
 * A warp spins if it asks at the same place again, has the very registers that
 * it had the last time, and wrote nothing in between: then only somebody else
 * can end its loop. How often it goes round depends on when the others come, so
 * nothing of it is counted: no loads, no instructions, no time of the model. A
 * loop that counts its tries or reads a clock has other registers each time; it
 * is work.
 */
#ifndef SIMGPU_SPIN_H
#define SIMGPU_SPIN_H

#include "simgpu/core/state/access.h"
#include "simgpu/core/state/state.h"

/* where: access_key() of it. */
void spin_look(struct warp *w, const struct inst *i, uint64_t where);
/* Has it written anything since the last look? */
bool spin_wrote(const struct warp *w);
/* Others of its lanes have a turn. */
void spin_forget(struct warp *w);
void spin_resume(struct warp *w);
void spin_pause(struct warp *w);

#endif
