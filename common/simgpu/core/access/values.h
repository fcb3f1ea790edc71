// SPDX-License-Identifier: MIT
/*
 * values.h: was it ever written? A bit per byte says so.
 *
 *   values_read      before the bytes are read: a finding for each lane that
 *                    reads bytes nobody wrote
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
void values_written(const struct access *a,
                    const struct place places[LANES]);

#endif
