// SPDX-License-Identifier: MIT
/*
 * evident.h: next steps that the simulated GPU's own words name.
 *
 *   evident_advise   the step for a finding's detail
 */
#ifndef CHECK_EVIDENT_H
#define CHECK_EVIDENT_H

#include <jansson.h>
#include <stdbool.h>

#include "check/base/text.h"

/* False, and nothing added: its detail names no step, or has none. */
bool evident_advise(struct text *advice, const json_t *finding);

#endif
