// SPDX-License-Identifier: MIT
/*
 * why.h: one sentence on what holds a kernel back, and where to read on.
 *
 *   why_say    adds "why" lines; nothing where nothing stands out
 *   why_line   the lines of the source that it speaks of
 *   why_next   what to do about the gate that is missed
 *   why_knows  whether a gate has a sentence of its own
 *
 * Only from evidence: a gate missed, counters at hand, registers and spills
 * as ptxas gave them, a measured bound.
 */
#ifndef CHECK_WHY_H
#define CHECK_WHY_H

#include "check/conf/gate.h"
#include "check/conf/workbook.h"
#include "check/judge/result.h"

void why_say(struct text *t, const struct kernel_result *result,
             const struct workbook *workbook);
/* "FILE:12, with 97 % of the loads:", and the line as it stands there; what is
 * loaded twice has several. False: none is known. */
bool why_line(struct text *place, struct text *source,
              const struct kernel_result *result);
/* False: nothing was added, because no gate is missed. */
bool why_next(struct text *t, const struct kernel_result *result,
              const struct workbook *workbook);
bool why_knows(const struct gate *gate);

#endif
