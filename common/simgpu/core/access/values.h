// SPDX-License-Identifier: MIT
/*
 * values.h: was it ever written? A bit per byte says so.
 *
 *   values_read      before the bytes are read: a finding for each lane that
 *                    reads bytes nobody wrote
 *   values_unset_again
 *                    counts such lanes if their findings stand already
 *   values_partly    lanes that read a vector of which only a part was written,
 *                    or what may be thrown away
 *   values_written   after they were written, or an atomic changed them
 *
 * Both take the places of the event's lanes. values_written also reports who
 * writes the address that the configuration watches, and who writes where an
 * asynchronous copy will land.
 */
#ifndef SIMGPU_VALUES_H
#define SIMGPU_VALUES_H

#include "place.h"

void values_read(const struct access *a, const struct place places[LANES]);
/* Of one word per lane, in a load's window. false: lanes need values_read. */
bool values_unset_again(struct warp *w, const struct inst *i, uint32_t mask,
                        const uint64_t addr[LANES], const struct window *win);
/* unset: of these lanes, the elements that nobody wrote, a bit each. The loaded
 * values must be followed (exec/suspect.h). Empty where nobody could. */
uint32_t values_partly(const struct access *a, const struct place places[LANES],
                       uint8_t unset[LANES]);
void values_written(const struct access *a,
                    const struct place places[LANES]);

#endif
