// SPDX-License-Identifier: MIT
/*
 * remembered.h: reports of predicted launches, kept from one check to the next.
 *
 *   remembered_report   what an equal launch reported before
 *   remember_report     keeps it for the next check
 *   remembered_programs   what predicted it
 *
 * A prediction depends on the stage's code, its registers, the shape, the GPU
 * and the programs that predict, and on nothing else: no inputs, no clock. So
 * it need not be computed twice. The files lie in build/predicted, named by a
 * digest of all that; a report that is graded neither reads nor writes them.
 */
#ifndef CHECK_REMEMBERED_H
#define CHECK_REMEMBERED_H

#include <jansson.h>

#include "check/conf/workbook.h"
#include "watched.h"

/* The caller's; NULL: none is known. */
json_t *remembered_report(const struct workbook *workbook,
                          const struct watched_stage *stage);
/* A digest of the programs that run and predict stages, read once per check;
 * "": one is missing. */
const char *remembered_programs(const struct workbook *workbook);
/* Does nothing where it cannot write: the next check computes it again. */
void remember_report(const struct workbook *workbook,
                     const struct watched_stage *stage, const json_t *report);

#endif
