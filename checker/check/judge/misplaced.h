// SPDX-License-Identifier: MIT
/*
 * misplaced.h: wrong numbers that would be right elsewhere, or by another
 * formula.
 *
 *   misplaced_find     the slip that explains nearly all wrong cells
 *   misplaced_say      what it is, in words
 *   misplaced_advice   where to look
 *   misplaced_or       the same for what is as likely; NULL: nothing is
 */
#ifndef CHECK_MISPLACED_H
#define CHECK_MISPLACED_H

#include "compare.h"

/* in: all cells of one output. given: what each buffer held before the launch.
 * Sets CELL_MISPLACED and out->slip; leaves `out` alone where nothing fits. */
void misplaced_find(const struct compare_input *in, void *const *given,
                    struct comparison *out);
void misplaced_say(struct text *text, const struct comparison *c,
                   const struct op *op);
const char *misplaced_advice(const struct comparison *c, const struct op *op);
const char *misplaced_or(const struct comparison *c, const struct op *op);

#endif
