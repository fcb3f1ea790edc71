// SPDX-License-Identifier: MIT
/*
 * pattern.h: what the wrong cells of an output have in common, whatever the
 * reason.
 *
 *   pattern_find     every k-th cell is wrong; cells are right up to a factor
 *   pattern_say      the same in words, as lines of evidence
 *   pattern_advice   where to look; NULL: there is no pattern
 */
#ifndef CHECK_PATTERN_H
#define CHECK_PATTERN_H

#include "compare.h"

/* Sets out->every and out->scaled. A factor tells more than that all cells are
 * whole numbers, so that CELL_WHOLE becomes CELL_LOGIC then. */
void pattern_find(const struct compare_input *in, struct comparison *out);
void pattern_say(struct text *text, const struct comparison *c,
                 const struct op *op);
const char *pattern_advice(const struct comparison *c);

#endif
