// SPDX-License-Identifier: MIT
/*
 * rounds.h: a loop in which threads meet, and which some may leave earlier.
 *
 *   rounds_advise   the first one in a source
 *
 * Threads meet at __syncthreads() and at shuffles. A loop that begins or ends
 * at an index of the thread's own may have another number of rounds for each.
 */
#ifndef CHECK_ROUNDS_H
#define CHECK_ROUNDS_H

#include "check/base/text.h"

enum rounds_meeting { ROUNDS_BARRIER, ROUNDS_SHUFFLE };

/* Adds a sentence that asks, behind a blank if there is advice already. path:
 * NULL or unreadable: none. Returns whether it added one. */
bool rounds_advise(struct text *advice, const char *path,
                   enum rounds_meeting meeting);

#endif
