// SPDX-License-Identifier: MIT
/*
 * wrong.h: WRONG, with the cells that show it.
 *
 *   wrong_keep    keeps the more telling wrong case of a run
 *   wrong_blame   the verdict, from the case that was kept
 */
#ifndef CHECK_WRONG_H
#define CHECK_WRONG_H

#include "result.h"

/* launched: some kernel ran. */
void wrong_keep(struct run *run, const struct test_case *c,
                const struct comparison *cmp, bool launched);
/* Nothing, if no case was kept. */
void wrong_blame(struct kernel_result *r, const struct run *run);

#endif
