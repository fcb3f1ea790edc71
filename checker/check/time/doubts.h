// SPDX-License-Identifier: MIT
/*
 * doubts.h: whether times can be believed; what speaks against it goes into
 * `out`, in words.
 *
 *   doubts_throttled   the driver says that clocks fell
 *   doubts_drift       without a driver's word: the same kernel became slower
 *   doubts_clocks      launches take longer by check's clock than by events
 *   doubts_floor       less than what the bytes take at full bandwidth
 */
#ifndef CHECK_DOUBTS_H
#define CHECK_DOUBTS_H

#include "meter.h"

void doubts_throttled(struct meter *m);
void doubts_drift(struct meter *m);
enum runner_status doubts_clocks(struct meter *m);
void doubts_floor(struct meter *m);

#endif
