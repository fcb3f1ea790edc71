// SPDX-License-Identifier: MIT
/*
 * report.h: what the learner reads.
 *
 *   report_begin    headline: what is checked, where, on what
 *   report_kernel   one kernel: verdict, evidence, gates, next step
 *   report_end      the chapter's verdict and where the JSON is
 *
 * 80 columns. Colour on a terminal only, and not with NO_COLOR set.
 */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "json.h"

void report_begin(const struct outcome *outcome);
void report_kernel(const struct outcome *outcome,
                   const struct kernel_result *r);
void report_end(const struct outcome *outcome);

#endif
