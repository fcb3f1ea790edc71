// SPDX-License-Identifier: MIT
/*
 * refused.h: a launch that CUDA refused, and why.
 *
 *   refused_blame   LAUNCH, from the device's report of it
 */
#ifndef CHECK_REFUSED_H
#define CHECK_REFUSED_H

#include "check/conf/cases.h"
#include "result.h"

void refused_blame(struct kernel_result *r, const json_t *report,
                   const json_t *launch, const struct test_case *c);

#endif
