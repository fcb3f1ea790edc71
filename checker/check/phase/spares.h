// SPDX-License-Identifier: MIT
/*
 * spares.h: runners on a GPU that were begun before they are needed.
 *
 *   spares_begin   until there are so many; nothing for a grade
 *   spare_take     one that has opened the GPU, and has loaded nothing yet
 *   spare_own      the same, where no other process is to keep its arrays
 *   spare_begun    the first that was begun, not greeted yet; NULL: none
 *   spares_drop    ends those that nobody took
 *
 * A runner creates a context of its own, which takes a second or so, beside
 * nvcc, the simulated GPU and what is timed at the moment.
 */
#ifndef CHECK_SPARES_H
#define CHECK_SPARES_H

#include "check/conf/workbook.h"
#include "check/run/runner_client.h"

void spares_begin(const struct workbook *workbook, int n);
/* NULL: failure says why. The caller's, to be stopped. */
struct runner *spare_take(const struct workbook *workbook,
                          struct runner_failure *failure);
struct runner *spare_own(const struct workbook *workbook,
                         struct runner_failure *failure);
struct runner *spare_begun(void);
void spares_drop(void);

#endif
