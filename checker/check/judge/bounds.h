// SPDX-License-Identifier: MIT
/*
 * bounds.h: the next step where an access lies outside of every array.
 *
 *   bounds_advise   and the lines that its index comes from
 */
#ifndef CHECK_BOUNDS_H
#define CHECK_BOUNDS_H

#include <jansson.h>

#include "target.h"

void bounds_advise(struct text *text, struct text *advice,
                   const json_t *finding, const struct arrays *arrays);

#endif
