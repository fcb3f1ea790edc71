// SPDX-License-Identifier: MIT
/*
 * remarks.h: what is worth a word about a kernel that is right.
 *
 *   remarks_add   to its notes
 */
#ifndef CHECK_REMARKS_H
#define CHECK_REMARKS_H

#include "check/conf/workbook.h"
#include "check/judge/result.h"

/* After the phases of a kernel, once. Nothing for one that is not right. */
void remarks_add(struct kernel_result *result,
                 const struct workbook *workbook);

#endif
