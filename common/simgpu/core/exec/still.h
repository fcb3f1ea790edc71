// SPDX-License-Identifier: MIT
/*
 * still.h: a launch in which nothing changes any more.
 *
 *   still_begin    a block begins
 *   still_leave    a block has ended
 *   still_end      this worker has no more blocks
 *   still_look     a strong load, or an atomic, is about to return
 *   still_idle     of it, an atomic that left everything as it was
 *   still_slice    a warp has run: has anything changed?
 *   still_round    all warps of a block have. If the launch is at a standstill
 *                  now, it has a fault, or, if it can pause, does so
 *   still_condemn  such a launch will never go on: its fault
 *   still_again    it goes on
 *   still_deeds    grows with all that may change memory
 *   still_deeds_of the same, of one worker
 *   still_state    a key of all registers and lanes of a warp
 *   still_polls    has the launch done nothing but poll, for so many rounds?
 *   still_at       what a launch that has paused polls; NULL: nothing is known
 *
 * A kernel that polls for ever is found by proof and not by patience. A warp is
 * still if it came back to the very registers and lanes that it had before,
 * wrote nothing on the way, and met no barrier. If that is so of all warps of
 * all blocks for several rounds, each will do the same again: only the host
 * could change what they read, and not where its program does not map it. A
 * loop that counts its tries changes registers, so it goes on. Of one that
 * reads a clock see freeze.h.
 */
#ifndef SIMGPU_STILL_H
#define SIMGPU_STILL_H

#include "simgpu/core/state/access.h"
#include "simgpu/core/state/state.h"

static inline bool still_asked(const struct warp *w)
{
    return w->worker->run->still_rounds != 0;
}

void still_begin(struct worker *k);
void still_leave(struct worker *k);
void still_end(struct worker *k);
void still_look(struct warp *w, const struct access *a);
static inline void still_idle(struct warp *w, uint64_t atomics)
{
    w->worker->still.idle += atomics;
}
bool still_slice(struct worker *k, struct warp *w);
void still_round(struct worker *k, bool changed);
void still_condemn(struct worker *k, const char *why);
void still_again(struct run *r);
uint64_t still_deeds(const struct run *r);
uint64_t still_deeds_of(const struct worker *k);
/* runs: it is between two instructions of its current leaf. */
uint64_t still_state(const struct warp *w, bool runs);
bool still_polls(const struct run *r, unsigned rounds);
enum { STILL_LONG = 256 }; /* rounds */
const struct source *still_at(const struct run *r, struct finding *x);

#endif
