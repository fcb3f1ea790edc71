// SPDX-License-Identifier: MIT
/*
 * wrong_advice.h: the next step of somebody whose result is wrong.
 *
 *   wrong_advice          one paragraph, of a run's kept case
 *   wrong_is_general      it fits any wrong number
 *   wrong_is_exact        no error is allowed in the wrong cells: integers, or
 *                         steps each of which rounds in one way
 *   wrong_is_far          of rounding: too far off to be called close
 *   wrong_is_kept         an in-and-out array's cells hold what they held
 *                         before, and yet the first of them was written
 *   wrong_is_not_stored   an in-and-out array, no cell of which has changed
 *   wrong_is_patterned    a pattern (pattern.h) may say more of it
 */
#ifndef CHECK_WRONG_ADVICE_H
#define CHECK_WRONG_ADVICE_H

#include "result.h"

const char *wrong_advice(const struct kernel_result *r, const struct run *run);
bool wrong_is_general(const char *advice);
bool wrong_is_exact(const struct comparison *c);
bool wrong_is_far(const struct comparison *c);
bool wrong_is_kept(const struct run *run);
bool wrong_is_not_stored(const struct op *op, const struct comparison *c);
bool wrong_is_patterned(const struct comparison *c);

#endif
