// SPDX-License-Identifier: MIT
/*
 * windows.h: compares cells of outputs that are too large to be compared whole.
 *
 *   windows_compare   some cells of what the last timed launch wrote
 */
#ifndef CHECK_WINDOWS_H
#define CHECK_WINDOWS_H

#include "phase.h"

/* d->got holds the outputs. Each window of cells takes a core; what is wrong is
 * kept in run. */
void windows_compare(const struct data *d, struct run *run);

#endif
