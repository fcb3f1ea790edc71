// SPDX-License-Identifier: MIT
/*
 * unfilled.h: why an element of shared memory may have no value when a thread
 * reads it.
 *
 *   unfilled_advise   who was to store there, as launch and source tell
 *
 * A barrier that is missing is a race of two lines, which the device finds, and
 * then that is what is said. So here the thread that was to write is missing: a
 * block has too few, or one returned before.
 */
#ifndef CHECK_UNFILLED_H
#define CHECK_UNFILLED_H

#include "target.h"

void unfilled_advise(struct text *advice, const json_t *finding,
                     const struct arrays *arrays);

#endif
