// SPDX-License-Identifier: MIT
/*
 * why.h: one sentence on what holds a kernel back, and where to read on.
 *
 *   why_say    adds "why" lines; nothing where nothing stands out
 *
 * Only from evidence: a gate missed, counters at hand, registers and spills
 * as ptxas gave them, a measured bound.
 */
#ifndef CHECK_WHY_H
#define CHECK_WHY_H

#include "result.h"
#include "workbook.h"

void why_say(struct text *t, const struct kernel_result *result,
             const struct workbook *workbook);

#endif
